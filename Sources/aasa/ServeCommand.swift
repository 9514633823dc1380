package import ArgumentParser

/// `aasa serve`
package struct ServeCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve association files until SIGTERM or SIGINT.",
    discussion: """
      Every setting is also a variable (`AASA_HTTP`) and a key of server.json (`http`): a flag is \
      stronger than a variable, a variable stronger than the file.

      EXAMPLES:
        aasa serve
        aasa serve --config /etc/aasa/server.json
        aasa serve --domains ./domains --http 127.0.0.1:8080 --https none
        aasa serve --https '[::]:443' --https 192.0.2.1:8443
        aasa serve --certificates /etc/letsencrypt/live
        AASA_HTTP=none aasa serve --alias www.example.com=example.com
      """)

  @OptionGroup var options: ServerOptions

  package init() {}

  package func run() throws {
    let code = serve(try options.resolve(isForServer: true), from: options)
    if code != 0 { throw ExitCode(code) }
  }
}
