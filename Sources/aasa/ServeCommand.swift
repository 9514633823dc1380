internal import ArgumentParser
internal import Serving

struct ServeCommand: ParsableCommand, CustomReflectable {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the files of all your domains.",
    discussion: """
      Every setting is a flag, an environment variable and a key in server.json: for example, \
      --http is also `AASA_HTTP` and `http`. The flag overrides the variable, and the variable \
      overrides the file.

      --validate-only checks everything as at startup, then exits: no port is opened and nothing \
      is written. SIGTERM and Ctrl-C stop the server; SIGHUP makes it reread its settings.

      EXAMPLES:
        aasa serve
        aasa serve --config /etc/aasa/server.json
        aasa serve --domains ./domains --http 127.0.0.1:8080 --https none
        aasa serve --https '[::]:443' --https 192.0.2.1:8443
        aasa serve --certificates /etc/letsencrypt/live
        AASA_HTTP=none aasa serve --alias www.example.com=example.com
        aasa serve --validate-only --config /etc/aasa/server.json

      EXIT CODES:
        0 stopped by a signal
        1 the server cannot start; with --validate-only, files have errors
        2 wrong usage or configuration
      """)

  @Flag(help: "check everything as at startup, then exit")
  var validateOnly = false
  /// The server's options are not an option group. A debug build of ArgumentParser would check such
  /// a group repeatedly, which is slow for so many options.
  var options = ServerOptions()

  init() {}

  init(from decoder: any Decoder) throws {
    _validateOnly = try decoder.container(keyedBy: ServerOptions.Key.self)
      .decode(Flag<Bool>.self, forKey: ServerOptions.Key(stringValue: "validateOnly"))
    options = try ServerOptions(from: decoder)
  }

  var customMirror: Mirror {
    let own: [Mirror.Child] = [(label: "_validateOnly", value: _validateOnly)]
    return Mirror(self, children: own + Array(options.customMirror.children))
  }

  func run() throws {
    let configuration = try options.resolve(isForServer: true)
    let code =
      validateOnly ? validateServing(configuration) : serve(configuration, from: options.sources)
    if code != 0 { throw ExitCode(code) }
  }
}
