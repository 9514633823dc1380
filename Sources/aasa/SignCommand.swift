internal import AppSiteAssociation
internal import ArgumentParser
internal import Bytes
internal import Diagnostics
internal import JSON
internal import Posix
internal import TLS

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign an association file for iOS 8.",
    usage: "aasa sign <FILE> --certificate <FILE> --key <FILE> [<options>]",
    discussion: """
      Writes CMS in DER, with the content attached. Only iOS 8 needs a signed file; iOS 9 and \
      later read plain JSON. Apple accepts the site's own TLS certificate as signer. The \
      certificates and the key are PEM files; if the key has a passphrase, decrypt the key first.

      EXAMPLES:
        aasa sign site.json --certificate fullchain.pem --key privkey.pem -o aasa
        aasa sign site.json --certificate a.crt --key a.key --chain b.pem > aasa
      """)

  @Argument(
    help: ArgumentHelp("the unsigned association file", valueName: "FILE"), completion: .file())
  var file: String
  @Option(
    help: ArgumentHelp("the signer's certificate, alone or with its chain", valueName: "FILE"),
    completion: .file())
  var certificate: String
  @Option(
    help: ArgumentHelp("the certificate's private key", valueName: "FILE"), completion: .file())
  var key: String
  @Option(
    help: ArgumentHelp("further certificates to include, such as intermediates", valueName: "FILE"),
    completion: .file())
  var chain: String?
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("the output file (default: standard output)", valueName: "FILE"),
    completion: .file())
  var output: String?
  @Flag(help: "replace the output file if there is one") var force = false

  func validate() throws {
    if output == nil && standardOutputIsTerminal {
      throw ValidationError(
        "a signed file is binary, not for a terminal; give a file with --output")
    }
  }

  func run() throws {
    let content = try readContent()
    let identity = try readIdentity()
    warn(of: identity)
    let signed = try sign(content, by: identity)
    try writeOutput(signed, to: output, replacing: force)
    printError(
      "note: iOS 9 and later need no signature; they read \(file) as it is")
  }

  /// Reads and checks the association file. Returns the JSON text of the file.
  private func readContent() throws -> [UInt8] {
    let source = try readInput(file, limit: AppleLimits.fileBytes, orFailWith: .found)
    let read = AssociationFile(source)
    // Refuse a byte order mark, because the signed content must not have one.
    if let fault = read.fault ?? markFault(in: source) {
      printError(fault.line)
      throw ExitCode.found
    }
    if read.form == .signed {
      throw failure("\(file) is signed already; sign the JSON from which it was made")
    }
    return source.bytes
  }

  private func markFault(in source: SourceText) -> Diagnostic? {
    guard source.withoutByteOrderMark != nil else { return nil }
    do throws(SyntaxError) {
      _ = try Document(parsing: source)
      return nil
    } catch {
      return error.diagnostic(in: source)
    }
  }

  private func readIdentity() throws -> SigningIdentity {
    var files: [(path: String, bytes: [UInt8])] = []
    // Overwrite every buffer, because any of these files may contain a private key.
    defer { for index in files.indices { cleanse(&files[index].bytes) } }
    for path in [certificate, key] + (chain.map { [$0] } ?? []) {
      let source = try readInput(path, limit: TLSLimits.pemFileBytes, orFailWith: .found)
      files.append((path, source.bytes))
    }
    let sources = files.map { SourceText(path: $0.path, bytes: $0.bytes) }
    return try mapping(
      SigningIdentity(
        certificate: sources[0], key: sources[1], chain: sources.count > 2 ? sources[2] : nil)
    ) { (error: CMSError) in failure(error) }
  }

  private func warn(of identity: SigningIdentity) {
    let now = Clock.wallSeconds()
    if let text = identity.validityWarning(at: now) {
      printError("\(certificate): warning: \(text)")
    }
  }

  private func sign(_ content: [UInt8], by identity: SigningIdentity) throws -> [UInt8] {
    let signed = try mapping(CMS.sign(content, by: identity)) { (error: CMSError) in
      failure(error)
    }
    guard signed.count <= AppleLimits.fileBytes else {
      throw failure(
        "\(file) has \(signed.count) bytes when signed, more than the "
          + "\(AppleLimits.fileBytes) that Apple accepts; remove comments and white space from it, "
          + "or certificates from the chain")
    }
    return signed
  }
}
