import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// What Documentation/BesideYourSite.md and HostingServices.md say a web server needs to serve the
/// file without `aasa serve`.
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

  // A WordPress site by Apache.
  @Test(.needs(.apache2)) func `a folder and .htaccess are enough for Apache`() throws {
    try withFile { workspace, port in
      let root = workspace.path("www")
      let block = try Self.piece("apache-file", workspace).split(separator: "\n")
      try workspace.write(
        "www/.htaccess", block.filter { !$0.hasPrefix("AliasMatch") }.joined(separator: "\n"))
      let file = shopFile(components: "[{}]")
      try workspace.write("www/.well-known/apple-app-site-association", file)
      let site = """
        DocumentRoot \(root)
        <Directory \(root)>
        AllowOverride AuthConfig FileInfo
        </Directory>
        """
      let made = WebServer.apache.configuration(site, port: port, folder: workspace.root)
      try withProgram(.apache2, made, port: port, in: workspace) { errors in
        try Self.expectFile(at: associationPaths, port, in: workspace, errors)
      }
    }
  }

  @Test(.needs(.node), .enabled(if: access(express, R_OK) == 0, "Express is not installed"))
  func `Express answers by one route`() throws {
    try withFile { workspace, port in
      let page = repositoryFile("Documentation/HostingServices.md")
      let row = try #require(
        String(contentsOfFile: page, encoding: .utf8).split(separator: "\n")
          .first { $0.hasPrefix("| Express |") })
      let route = try #require(row.firstMatch(of: /`(app\.get[^`]*)`/)).output.1
        .replacing("PATH", with: "'\(workspace.path("www/apple-app-site-association"))'")
      let site = """
        process.env.NODE_PATH = '/usr/share/nodejs'
        require('module').Module._initPaths()
        const express = require('express')
        const app = express()
        \(route)
        app.use(express.static('www'))
        app.listen(\(port), '127.0.0.1')
        """
      try withProgram(.node, (site, []), port: port, in: workspace) { errors in
        try Self.expectFile(
          at: ["/.well-known/apple-app-site-association"], port, in: workspace, errors)
      }
    }
  }

  /// Where Debian's package has it.
  private static let express = "/usr/share/nodejs/express/package.json"

  private func check(_ name: String, by server: WebServer) throws {
    try withFile { workspace, port in
      let made = server.configuration(
        try Self.piece(name, workspace), port: port, folder: workspace.root, modules: ["alias"])
      try withProgram(server.tool, made, port: port, in: workspace) { errors in
        try Self.expectFile(at: associationPaths, port, in: workspace, errors)
      }
    }
  }

  private static func expectFile(
    at paths: [String], _ port: Int, in workspace: Workspace, _ errors: () -> String
  ) throws {
    for path in paths {
      let response = try ask(path, port)
      #expect(response.status == 200, "\(path): \(errors())")
      #expect(response["Content-Type"] == "application/json")
      #expect(response.text == shopFile(components: "[{}]"))
    }
    try #expect(ask("/other", port).text != shopFile(components: "[{}]"))
    // The command that the page ends with finds nothing wrong in what came.
    let checked = try workspace.aasa("check", "http://127.0.0.1:\(port)")
    #expect(!checked.text.contains(/error.*\[F0[34]\d\]/), "\(checked.text)")
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
