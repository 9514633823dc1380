internal import ArgumentParser
internal import Posix
internal import Serving
internal import Settings

struct IssuerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "issuer",
    abstract: "Get certificates, and serve nothing.",
    usage: "aasa issuer --acme <CA> [<options>]",
    discussion: """
      Gets certificates for the hosts in the domains folder. The issuer needs no public port: \
      servers with --acme-answer answer the CA's challenges. Stores the certificates in the \
      subfolder certificates of the state folder. Takes every option of aasa serve except \
      --validate-only.

      EXAMPLES:
        aasa issuer --acme letsencrypt --acme-state /var/lib/aasa
      """)

  @OptionGroup(visibility: .hidden) var options: ServerOptions

  func run() throws {
    var configuration = try options.resolve(isForServer: true)
    if configuration.issuance.authorities.isEmpty {
      throw failure("choose the CA, for example --acme letsencrypt", .usage)
    }
    (configuration.http, configuration.https) = ([], [])
    let code = serve(configuration, from: options.sources)
    if code != 0 { throw ExitCode(code) }
  }
}
