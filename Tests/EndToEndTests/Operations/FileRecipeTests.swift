import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The blocks of Documentation/BesideYourSite.md by which a web server serves the file without
/// `aasa serve`.
@Suite("Web servers without aasa serve", .manyAtOnce) struct FileRecipeTests {
  @Test(.needs(.nginx)) func `nginx serves the file at both paths`() throws {
    try check("nginx-file", by: .nginx)
  }

  @Test(.needs(.caddy)) func `Caddy serves the file at both paths`() throws {
    try check("caddyfile-file", by: .caddy)
  }

  @Test(.needs(.apache2)) func `Apache serves the file at both paths`() throws {
    try check("apache-file", by: .apache)
  }

  private func check(_ name: String, by server: WebServer) throws {
    try withFile { workspace, port in
      let made = server.configuration(
        try Self.piece(name, workspace), port: port, folder: workspace.root, modules: ["alias"])
      try withProgram(server.tool, made, port: port, in: workspace) { errors in
        for path in associationPaths {
          let response = try Self.ask(path, port)
          #expect(response.status == 200, "\(path): \(errors())")
          #expect(response["Content-Type"] == "application/json")
          #expect(response.text == shopFile(components: "[{}]"))
        }
        try #expect(Self.ask("/other", port).text != shopFile(components: "[{}]"))
        // The command that the page ends with finds nothing to say about what came.
        let checked = try workspace.aasa(
          "check", "http://127.0.0.1:\(port)")
        #expect(!checked.text.contains("F03") && !checked.text.contains("F04"), "\(checked.text)")
      }
    }
  }

  /// As the page has it, with certificates of Caddy's own authority.
  @Test(.needs(.caddy)) func `Caddy's site redirects nothing from HTTP to HTTPS`() throws {
    try withFile { workspace, port in
      let made = try Self.caddy(try Self.piece("caddyfile-file", workspace), port: port)
      try withProgram(.caddy, made, port: port, in: workspace) { errors in
        for path in associationPaths {
          try #expect(Self.ask(path, port).status == 200, "\(errors())")
        }
      }
    }
  }

  @Test(.needs(.caddy)) func `Caddy's site in front of aasa redirects nothing either`() throws {
    try withFile { workspace, port in
      try workspace.write("domains/example.com.json", shopFile(components: "[{}]"))
      try withServer(workspace) { server in
        let site = try documentedBlock("caddyfile", in: "BehindAProxy.md")
          .replacing("127.0.0.1:8080", with: "127.0.0.1:\(server.http)")
        let made = try Self.caddy(site, port: port)
        try withProgram(.caddy, made, port: port, in: workspace) { errors in
          for path in associationPaths {
            let response = try Self.ask(path, port)
            #expect(response.status == 200, "\(path): \(errors())")
            #expect(response.text == shopFile(components: "[{}]"))
          }
        }
      }
    }
  }

  /// Caddy's configuration with a site as a page has it.
  private static func caddy(_ site: String, port: Int) throws -> (String, [String]) {
    let text = """
      {
        admin off
        http_port \(port)
        https_port \(try RawClient.freePort())
        local_certs
        skip_install_trust
      }
      \(site)
      """
    return (text, ["run", "--adapter", "caddyfile", "--config"])
  }

  private func withFile(_ body: (Workspace, _ port: Int) throws -> Void) throws {
    let workspace = try Workspace()
    // Other users than the one of the tests read it.
    try workspace.setMode(".", 0o755)
    try workspace.write("www/apple-app-site-association", shopFile(components: "[{}]"))
    try body(workspace, RawClient.freePort())
  }

  private static func piece(_ language: String, _ workspace: Workspace) throws -> String {
    try documentedBlock(language, in: "BesideYourSite.md")
      .replacing("/var/www/association", with: workspace.path("www"))
  }

  private static func ask(_ path: String, _ port: Int) throws -> Response {
    let client = try RawClient(port: port)
    try client.send(request("GET", path))
    return try client.receive()
  }
}
