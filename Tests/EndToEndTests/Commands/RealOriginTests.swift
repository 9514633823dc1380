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
      exitCode: 0, expected: ["the association file is served as Apple asks", "fine: "]),
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
      expected: ["(to the same path with a slash)", "[F030]"]),
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
    let site = try Site()
    let configuration = """
      daemon off; master_process off; pid nginx.pid; error_log stderr crit; worker_processes 1;
      events {}
      http {
        access_log off; client_body_temp_path temp; proxy_temp_path temp; fastcgi_temp_path temp;
        uwsgi_temp_path temp; scgi_temp_path temp;
        server { listen 127.0.0.1:\(site.port); root www; \(row.nginx) }
      }
      """
    try site.workspace.write("nginx.conf", configuration)
    try site.workspace.write("users", "bob:{PLAIN}secret\n")
    try site.check(
      row, Tool.nginx, ["-p", site.workspace.root + "/", "-e", "stderr", "-c", "nginx.conf"])
  }

  @Test(.needs(.caddy), arguments: rows) func `an origin behind Caddy is checked`(_ row: Row) throws
  {
    let site = try Site()
    let configuration = """
      {
        admin off
        auto_https off
      }
      http://127.0.0.1:\(site.port) {
        bind 127.0.0.1
        root * \(site.workspace.root)/www
        route {
          \(row.caddy)
        }
      }
      """
    try site.workspace.write("Caddyfile", configuration)
    try site.check(
      row, Tool.caddy,
      ["run", "--config", site.workspace.path("Caddyfile"), "--adapter", "caddyfile"])
  }
}

extension RealOriginTests {
  /// HAProxy hangs up on HTTP/1.1 if it is to speak HTTP/2 only.
  @Test(.needs(.haproxy), .needs(.openssl), arguments: [("h2", Int32(4)), ("h2,http/1.1", 1)])
  func `HAProxy that speaks HTTP/2 only is unknown, and not a fault`(
    protocols: String, exitCode: Int32
  ) throws {
    let site = try Site()
    let authority = try TestAuthority()
    let identity = try authority.issue("example.com")
    try site.workspace.write("both.pem", identity.chain + identity.key)
    try site.workspace.write(
      "haproxy.cfg",
      """
      defaults
        mode http
        timeout client 30s
        timeout connect 30s
        timeout server 30s
      frontend f
        bind 127.0.0.1:\(site.port) ssl crt both.pem alpn \(protocols) proto h2
        http-request return status 200 content-type application/json file www/.well-known/apple-app-site-association

      """)
    let run = try site.run(
      Tool.haproxy, ["-f", "haproxy.cfg"],
      ["example.com", "--origin", "127.0.0.1:\(site.port)", "--ca", authority.rootFile])
    #expect(run.exitCode == exitCode && run.errors.isEmpty, "\(run.text)\(run.errors)")
    // A server that offers HTTP/1.1 and then hangs up has a fault.
    let first = "example.com: could not be checked: the server speaks HTTP/2 only, "
    #expect(run.text.hasPrefix(first) == (exitCode == 4), "\(run.text)")
  }
}

/// A web root with a right file in it, and a port that is free.
private struct Site {
  let workspace: Workspace
  let port: UInt16

  init() throws {
    workspace = try Workspace()
    port = UInt16(try RawClient.freePort())
    try workspace.makeFolder("temp")
    let good = shopFile(components: #"[{"/":"/buy/*"}]"#)
    try workspace.write("www/.well-known/apple-app-site-association", good)
    try workspace.write("www/apple-app-site-association", good)
    try workspace.write(
      "www/index.html", "<!doctype html><title>Shop</title><div id=\"root\"></div>")
  }

  func check(_ row: RealOriginTests.Row, _ tool: Tool, _ arguments: [String]) throws {
    let run = try run(tool, arguments, ["http://127.0.0.1:\(port)"])
    #expect(run.exitCode == row.exitCode && run.errors.isEmpty, "\(run.text)\(run.errors)")
    for text in row.expected { #expect(run.text.contains(text), "\(text):\n\(run.text)") }
  }

  /// Runs `aasa check` while a server runs.
  func run(_ tool: Tool, _ arguments: [String], _ check: [String]) throws -> Finished {
    guard let path = tool.path else { throw Failure("\(tool) is not installed") }
    let environment = ["HOME": workspace.root, "XDG_DATA_HOME": workspace.root]
    let origin = try ChildProcess(
      path, arguments, environment: environment, folder: workspace.root)
    defer {
      origin.signal(SIGTERM)
      _ = try? origin.waitForExit()
    }
    let isUp: Bool? = eventually(within: .seconds(30)) {
      isListening(port) ? true : origin.isRunning ? nil : false
    }
    let errors = String(decoding: origin.now.errors, as: UTF8.self)
    guard isUp == true else { throw Failure("\(tool) does not run: \(errors)") }
    return try workspace.aasa(["check"] + check)
  }
}

private func isListening(_ port: UInt16) -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = inet_addr("127.0.0.1")
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
      connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}
