import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// `aasa check` against nginx and Caddy with the mistakes that people make in their configurations.
@Suite(.manyAtOnce) struct RealOriginTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The inside of the server's block.
    let nginx: String
    let caddy: String
    var exitCode: Int32 = 1
    /// Parts of the report.
    let expected: [String]
  }

  static let rows = [
    Row(
      testDescription: "right",
      nginx: "location ~ apple-app-site-association$ { default_type application/json; }",
      caddy: """
        @file path *apple-app-site-association
        header @file {
          Content-Type application/json
          defer
        }
        file_server
        """,
      exitCode: 0, expected: ["the association file is served as Apple asks", "fine:\n"]),
    Row(
      testDescription: "the server's own type",
      nginx: "default_type application/octet-stream;",
      // Caddy sends none where the name has no extension.
      caddy: "file_server",
      exitCode: 0, expected: ["[F040]"]),
    Row(
      testDescription: "fallback of a single-page application",
      nginx: "location ~ apple-app { try_files /nothing /index.html; }",
      caddy: """
        rewrite * /index.html
        file_server
        """,
      expected: [
        "universal links will not work: the start page of a web application is served instead of the "
          + "file", "[F041]",
      ]),
    Row(
      testDescription: "redirect to www",
      nginx: "return 301 https://www.example.com$request_uri;",
      caddy: "redir https://www.example.com{uri} permanent",
      expected: [
        "universal links will not work: the file redirects to https://www.example.com/"
          + ".well-known/apple-app-site-association", "[F030]",
      ]),
    Row(
      testDescription: "a slash at the end",
      nginx: "rewrite ^(.*[^/])$ $1/ permanent;",
      caddy: "redir {uri}/ permanent",
      expected: ["(to the same path with a slash at the end)", "[F030]"]),
    Row(
      testDescription: "a password",
      nginx: #"auth_basic "staging"; auth_basic_user_file users;"#,
      caddy: """
        basicauth {
          bob $2a$14$h9MqW0km9CGnkJWmnzPEqevl9jsz1Pwom7eJVlkrZgLxNEadQl40.
        }
        file_server
        """,
      expected: ["access to the file is refused (401)", "[F032]", "< www-authenticate: Basic"]),
    Row(
      testDescription: "a robot that is kept out",
      nginx: "if ($http_user_agent ~ AASA-Bot) { return 403; } default_type application/json;",
      caddy: """
        @robot header User-Agent *AASA-Bot*
        respond @robot 403
        @file path *apple-app-site-association
        header @file {
          Content-Type application/json
          defer
        }
        file_server
        """,
      expected: ["[F050]", "a firewall or bot protection treats them differently"]),
    Row(
      testDescription: "nothing there",
      nginx: "location ~ apple-app-site-association$ { return 404; }",
      caddy: "respond 404",
      expected: ["there is no file, neither in /.well-known nor at the root (404)", "[F031]"]),
  ]

  @Test(.needs(.nginx), arguments: rows) func `an origin behind nginx is checked`(_ row: Row) throws
  {
    let workspace = try Self.root()
    try workspace.write("users", "bob:{PLAIN}secret\n")
    try check(row, .nginx, "root www; " + row.nginx, in: workspace)
  }

  @Test(.needs(.caddy), arguments: rows) func `an origin behind Caddy is checked`(_ row: Row) throws
  {
    let workspace = try Self.root()
    let site = "http://example.com, https://example.com {\nroot * \(workspace.root)/www"
    try check(row, .caddy, "\(site)\nroute {\n\(row.caddy)\n}\n}", in: workspace)
  }

  private func check(
    _ row: Row, _ server: WebServer, _ piece: String, in workspace: Workspace
  ) throws {
    let port = try RawClient.freePort()
    let configuration = server.configuration(piece, port: port, folder: workspace.root)
    try withProgram(server.tool, configuration, port: port, in: workspace) { _ in
      let run = try workspace.aasa("check", "http://127.0.0.1:\(port)")
        .says(exit: row.exitCode, errors: .nothing)
      for text in row.expected { run.says(.part(text), exit: row.exitCode) }
    }
  }

  /// HAProxy hangs up on HTTP/1.1 if it is to speak HTTP/2 only.
  @Test(.needs(.haproxy), arguments: [("h2", Int32(4)), ("h2,http/1.1", 1)])
  func `HAProxy that speaks HTTP/2 only is unknown, and not a fault`(
    protocols: String, exitCode: Int32
  ) throws {
    let workspace = try Self.root()
    let authority = try TestAuthority()
    try workspace.write("both.pem", authority.issue("example.com").pem)
    let port = try RawClient.freePort()
    let configuration = """
      defaults
        mode http
        timeout client 30s
        timeout connect 30s
        timeout server 30s
      frontend f
        bind 127.0.0.1:\(port) ssl crt both.pem alpn \(protocols) proto h2
        http-request return status 200 content-type application/json file www/.well-known/apple-app-site-association

      """
    try withProgram(.haproxy, (configuration, ["-f"]), port: port, in: workspace) { _ in
      let run = try workspace.aasa(
        "check", "example.com", "--origin", "127.0.0.1:\(port)", "--ca", authority.rootFile
      ).says(exit: exitCode, errors: .nothing)
      // A server that offers HTTP/1.1 and then hangs up has a fault.
      let first = "example.com: could not be checked: the server speaks HTTP/2 only, "
      #expect(run.text.hasPrefix(first) == (exitCode == 4), "\(run.text)")
    }
  }

  /// A web root with a right file in it.
  private static func root() throws -> Workspace {
    let workspace = try Workspace()
    for path in associationPaths { try workspace.write("www" + path, CheckSite.file) }
    try workspace.write(
      "www/index.html", "<!doctype html><title>Shop</title><div id=\"root\"></div>")
    return workspace
  }
}
