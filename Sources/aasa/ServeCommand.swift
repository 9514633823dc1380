internal import ArgumentParser

/// `aasa serve`
struct ServeCommand: ParsableCommand, CustomReflectable {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve association files until SIGTERM or SIGINT.",
    discussion: """
      Every setting is also a variable (`AASA_HTTP`) and a key of server.json (`http`): a flag \
      overrides a variable, and a variable overrides the file.

      --validate-only reads everything, reports all that a start would report, and ends: no port \
      is opened and nothing is written. It exits with 0 if all is well, 1 if files have errors (the \
      server would start and serve the rest), 2 if the server would not start.

      EXAMPLES:
        aasa serve
        aasa serve --config /etc/aasa/server.json
        aasa serve --domains ./domains --http 127.0.0.1:8080 --https none
        aasa serve --https '[::]:443' --https 192.0.2.1:8443
        aasa serve --certificates /etc/letsencrypt/live
        AASA_HTTP=none aasa serve --alias www.example.com=example.com
        aasa serve --validate-only --config /etc/aasa/server.json
      """)

  @Flag(help: "report what starting would report, and end without serving")
  var validateOnly = false
  /// Not an option group, because a debug build of ArgumentParser would check it again and again,
  /// and there are as many server options as options of all other commands together.
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
    let code = validateOnly ? validateServing(configuration) : serve(configuration, from: options)
    if code != 0 { throw ExitCode(code) }
  }
}
