import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The recipes of Documentation/BehindAProxy.md, each run by its own program in front of the server.
/// The client has another address than the proxy, and sends forged fields.
@Suite("Proxies: recipes", .manyAtOnce, .needs(.curl)) struct ProxyRecipeTests {
  @Test(.needs(.nginx)) func `the recipe for nginx works`() throws {
    try check("nginx", by: .nginx)
  }

  @Test(.needs(.caddy)) func `the recipe for Caddy works`() throws {
    try check("caddyfile", by: .caddy)
  }

  @Test(.needs(.apache2)) func `Apache`() throws { try check("apache", by: .apache) }

  @Test(.needs(.haproxy), arguments: ["http", "tcp"]) func `HAProxy`(mode: String) throws {
    let isTCP = mode == "tcp"
    let choice = isTCP ? "default_backend aasa" : try Self.recipe("haproxy-frontend")
    try check(
      isTCP ? "haproxy-tcp" : "haproxy", by: .haproxy, isTCP ? ["--proxy-protocol", "on"] : []
    ) { recipe, port, _ in
      let text = """
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
      return (text, ["-db", "-f"])
    }
  }

  private func check(_ name: String, by server: WebServer) throws {
    try check(name, by: server.tool) { recipe, port, folder in
      server.configuration(
        recipe, port: port, folder: folder, modules: ["proxy", "proxy_http", "headers"])
    }
  }

  /// - Parameter configuration: the program's, with the recipe in it, and the arguments that come
  ///   before its file.
  private func check(
    _ name: String, by tool: Tool, _ flags: [String] = [],
    configuration: (_ recipe: String, _ port: Int, _ folder: String) -> (String, [String])
  ) throws {
    let workspace = try ProxyTests.workspace()
    let log = workspace.path("access")
    let trusting = ["--trusted-proxies", "127.0.0.1/32", "--log-addresses", "full"]
    // With one loop the lines of the log have the order of the requests.
    let logging = ["--access-log", log, "--threads", "1"]
    try withServer(workspace, trusting + logging + flags) { server in
      let port = try RawClient.freePort()
      // The PROXY protocol comes before TLS, so the port without TLS tests it, too.
      let recipe = try Self.recipe(name).replacing(
        name == "haproxy-tcp" ? "127.0.0.1:8443" : "127.0.0.1:8080",
        with: "127.0.0.1:\(server.http)")
      let made = configuration(recipe, port, workspace.root)
      try withProgram(tool, made, port: port, in: workspace) { errors in
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
  }

  private static func recipe(_ language: String) throws -> String {
    try documentedBlock(language, in: "BehindAProxy.md")
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
