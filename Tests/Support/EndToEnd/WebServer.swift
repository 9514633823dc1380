import Foundation

/// A web server of others, on a port of 127.0.0.1, with a piece of configuration from the
/// documentation in it.
enum WebServer {
  case nginx, caddy, apache

  var tool: Tool {
    switch self {
    case .nginx: .nginx
    case .caddy: .caddy
    case .apache: .apache2
    }
  }

  /// - Parameter modules: Apache's, besides those that every configuration needs.
  func configuration(
    _ piece: String, port: Int, folder: String, modules: [String] = []
  ) -> (text: String, arguments: [String]) {
    switch self {
    case .nginx: (nginx(piece, port), ["-p", folder + "/", "-e", "stderr", "-c"])
    case .caddy: (caddy(piece, port), ["run", "--adapter", "caddyfile", "--config"])
    case .apache: (apache(piece, port, folder, modules), ["-DFOREGROUND", "-f"])
    }
  }

  /// - Parameter piece: of a server, or a whole one.
  private func nginx(_ piece: String, _ port: Int) -> String {
    let isWhole = piece.hasPrefix("server {")
    let site = isWhole ? piece : "server { listen 127.0.0.1:\(port); \(piece) }"
    return """
      daemon off; master_process off; pid nginx.pid; error_log stderr crit; worker_processes 1;
      events {}
      http {
        access_log off; client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
        uwsgi_temp_path temp; scgi_temp_path temp;
        \(site)
      }
      """
  }

  /// The names of the documented site become an address, so that no certificate is needed.
  private func caddy(_ piece: String, _ port: Int) -> String {
    let site = piece.replacing(
      "http://example.com, https://example.com {", with: "http://:\(port) {\nbind 127.0.0.1")
    return "{\nadmin off\nauto_https off\n}\n\(site)"
  }

  private func apache(_ piece: String, _ port: Int, _ folder: String, _ modules: [String]) -> String
  {
    let modules = (["mpm_event", "authz_core"] + modules).map {
      "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
    }
    return """
      ServerRoot \(folder)
      DefaultRuntimeDir \(folder)
      PidFile \(folder)/apache.pid
      ServerName localhost
      User daemon
      Group daemon
      ErrorLog /dev/stderr
      LogLevel crit
      Listen 127.0.0.1:\(port)
      \(modules.joined(separator: "\n"))
      <Directory />
      Require all denied
      </Directory>
      <VirtualHost *:\(port)>
      \(piece)
      </VirtualHost>

      """
  }
}

/// Runs a program with its configuration until `body` is done.
///
/// - Parameter body: Gets a function that returns what the program has written to its standard error.
func withProgram(
  _ tool: Tool, _ configuration: (text: String, arguments: [String]), port: Int,
  in workspace: Workspace, _ body: (_ errors: () -> String) throws -> Void
) throws {
  guard let program = tool.path else { throw Failure("\(tool) is not installed") }
  try workspace.makeFolder("temp")
  try workspace.write("program.conf", configuration.text)
  let process = try ChildProcess(
    program, configuration.arguments + [workspace.path("program.conf")],
    environment: ["HOME": workspace.root, "XDG_DATA_HOME": workspace.root], folder: workspace.root)
  defer {
    process.signal(SIGTERM)
    _ = try? process.waitForExit()
  }
  let isUp = eventually { (try? RawClient(port: port)) != nil || !process.isRunning }
  let errors = { String(decoding: process.now.errors, as: UTF8.self) }
  guard isUp, process.isRunning else { throw Failure("\(tool) does not run: \(errors())") }
  try body(errors)
}
