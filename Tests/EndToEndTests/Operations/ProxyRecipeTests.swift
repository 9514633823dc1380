import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The recipes of Documentation/BesideYourSite.md, each run by its own program in front of the
/// server. The client has another address than the proxy, and sends forged fields.
@Suite("Proxies: recipes", .manyAtOnce, .needs(.curl)) struct ProxyRecipeTests {
  @Test(.needs(.nginx)) func `nginx`() throws {
    try check("nginx", by: .nginx) { recipe, port, folder in
      let configuration = """
        daemon off; master_process off; pid nginx.pid; error_log stderr crit; worker_processes 1;
        events {}
        http {
          access_log off; client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
          uwsgi_temp_path temp; scgi_temp_path temp;
          server { listen 127.0.0.1:\(port); \(recipe) }
        }
        """
      return (configuration, ["-p", folder + "/", "-e", "stderr", "-c"])
    }
  }

  @Test(.needs(.caddy)) func `Caddy`() throws {
    try check("caddyfile", by: .caddy) { recipe, port, _ in
      let site = recipe.replacing("example.com {", with: "http://:\(port) {\nbind 127.0.0.1")
      let configuration = "{\nadmin off\nauto_https off\n}\n\(site)"
      return (configuration, ["run", "--adapter", "caddyfile", "--config"])
    }
  }

  @Test(.needs(.haproxy), arguments: ["http", "tcp"]) func `HAProxy`(mode: String) throws {
    let isTCP = mode == "tcp"
    let choice = isTCP ? "default_backend aasa" : try Self.recipe("haproxy-frontend")
    try check(
      isTCP ? "haproxy-tcp" : "haproxy", by: .haproxy, isTCP ? ["--proxy-protocol", "on"] : []
    ) { recipe, port, _ in
      let configuration = """
        defaults
            mode \(mode)
            timeout connect 30s
            timeout client 30s
            timeout server 30s
        frontend web
            bind 127.0.0.1:\(port)
            \(choice)
        \(recipe)

        """
      return (configuration, ["-db", "-f"])
    }
  }

  @Test(.needs(.apache2)) func `Apache`() throws {
    try check("apache", by: .apache2) { recipe, port, folder in
      let modules = ["mpm_event", "authz_core", "proxy", "proxy_http", "headers"].map {
        "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so"
      }
      let configuration = """
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
        <VirtualHost *:\(port)>
        \(recipe)
        </VirtualHost>

        """
      return (configuration, ["-DFOREGROUND", "-f"])
    }
  }

  /// - Parameter configuration: the program's, with the recipe in it, and the arguments that come
  ///   before its file.
  private func check(
    _ name: String, by tool: Tool, _ flags: [String] = [],
    configuration: (_ recipe: String, _ port: Int, _ folder: String) -> (String, [String])
  ) throws {
    guard let program = tool.path else { throw Failure("\(tool) is not installed") }
    let workspace = try ProxyTests.workspace()
    let log = workspace.path("access")
    let trusting = ["--trusted-proxies", "127.0.0.1/32", "--log-addresses", "full"]
    try withServer(workspace, trusting + ["--access-log", log] + flags) { server in
      let port = try RawClient.freePort()
      let recipe = try Self.recipe(name).replacing(
        "127.0.0.1:8080", with: "127.0.0.1:\(server.http)")
      let (text, arguments) = configuration(recipe, port, workspace.root)
      try workspace.makeFolder("temp")
      try workspace.write("proxy.conf", text)
      let proxy = try ChildProcess(
        program, arguments + [workspace.path("proxy.conf")],
        environment: ["HOME": workspace.root, "XDG_DATA_HOME": workspace.root],
        folder: workspace.root)
      defer {
        proxy.signal(SIGTERM)
        _ = try? proxy.waitForExit()
      }
      let isUp = eventually { (try? RawClient(port: port)) != nil || !proxy.isRunning }
      let errors = { String(decoding: proxy.now.errors, as: UTF8.self) }
      guard isUp, proxy.isRunning else { throw Failure("\(tool) does not run: \(errors())") }
      let rows = [
        ("a.example", association("A")), ("b.example", association("B")),
        // A host without an entry does not become one with an entry.
        ("unknown.example", "not found\n"),
      ]
      for path in associationPaths {
        for (host, expected) in rows {
          let body = try Self.ask(host, path, port)
          #expect(body == expected, "\(host)\(path): \(errors())")
        }
      }
      let count = associationPaths.count * rows.count
      let lines = try AccessLogTests.lines(of: log, count: count)
      #expect(lines.prefix(rows.count).map(\.host) == rows.map(\.0))
      #expect(Set(lines.map(\.client)) == ["127.0.0.2"])
    }
  }

  /// The first block of code of this language in the documentation.
  private static func recipe(_ language: String) throws -> String {
    let path = repositoryFile("Documentation/BesideYourSite.md")
    let parts = try String(contentsOfFile: path, encoding: .utf8)
      .components(separatedBy: "```\(language)\n")
    guard parts.count == 2, let end = parts[1].range(of: "```") else {
      throw Failure("there is not one recipe for \(language)")
    }
    return String(parts[1][..<end.lowerBound])
  }

  /// The answer to a client that claims another host and another address.
  private static func ask(_ host: String, _ path: String, _ port: Int) throws -> String {
    guard let curl = Tool.curl.path else { throw Failure("curl is not installed") }
    let claims = [
      "Host: \(host)", "X-Forwarded-Host: b.example", "Forwarded: for=192.0.2.99;host=b.example",
      "X-Forwarded-For: 192.0.2.99",
    ]
    let run = try run(
      curl,
      [
        "--silent", "--show-error", "--max-time", "30", "--noproxy", "*", "--interface",
        "127.0.0.2",
      ]
        + claims.flatMap { ["--header", $0] }
        + ["http://127.0.0.1:\(port)\(path)"])
    guard run.exitCode == 0 else { throw Failure("curl: \(run.errors)") }
    return run.text
  }
}
