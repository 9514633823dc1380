import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The clients that the admin listener answers, and its answers.
@Suite("admin listener", .manyAtOnce) struct AdminListenerTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: ["example.com": association()])
    return workspace
  }

  /// One row per target: the status, and a part of the body.
  private static let pages: [(target: String, status: Int, has: String)] = [
    ("/livez", 200, "alive"), ("/readyz", 200, "ready"),
    ("/metrics", 200, "# TYPE aasa_http_requests_total counter"),
    ("/status", 200, "\"example.com\""), ("/", 200, "/metrics"),
    // A query that is not asked for changes nothing.
    ("/livez?verbose", 200, "alive"),
    ("/status?limit=0", 200, "\"omitted\":1"), ("/status?limit=-1", 400, "limit"),
    ("/status?limit=1001", 400, "limit"), ("/status?limit=ten", 400, "limit"),
    ("/status?format=text", 200, "1 domain in "),
    ("/status?format=xml", 400, "format is text, json"),
    // A percent-encoded name is the name (RFC 3986 section 6.2.2.2).
    ("/status?domain=example%2Ecom", 200, "\"state\":\"served\""),
    // An invalid encoding is taken literally, as browsers send it.
    ("/status?domain=%zz", 200, "\"state\":\"unknown\""),
    ("/status?domain=", 200, "\"state\":\"unknown\""),
    (
      "/status?" + String(repeating: "domain=a&", count: 20) + "domain=b", 400,
      "at most 20 domains"
    ),
    ("/metrics/", 404, "not found"), ("/apple-app-site-association", 404, "/livez"),
    ("/../livez", 404, "not found"),
  ]

  @Test func `each page is where it belongs, and nothing else is`() throws {
    try withServer(try workspace(), withAdmin) { server in
      for page in Self.pages {
        let response = try server.askAdmin(page.target)
        #expect(response.status == page.status, "\(page.target): \(response.text)")
        #expect(response.text.contains(page.has), "\(page.target): \(response.text)")
        #expect(response["Cache-Control"] == "no-store")
        #expect(response["Date"] != nil)
      }
      // Never on the public port.
      for target in ["/livez", "/readyz", "/metrics", "/status"] {
        try #expect(server.get(target).status == 404)
      }
    }
  }

  @Test func `a browser gets pages, under the same rules, and others the list of paths`() throws {
    let names = (100..<205).map { "h\($0).example.com" }
    let workspace = try Workspace(
      serving: Dictionary(uniqueKeysWithValues: names.map { ($0, association()) }))
    try withServer(workspace, withAdmin) { server in
      let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
      for accept in ["Accept: */*", "Accept: application/json", "Accept: text/htmlx"] {
        let list = try server.askAdmin("/", [accept])
        #expect(list["Content-Type"] == "text/plain; charset=utf-8" && list["Vary"] == "Accept")
      }
      for (target, status, part) in [
        ("/", 200, "<p id=\"state\">ready</p>"), ("/domains", 200, "105 domains"),
        ("/domains?sort=name&order=down&page=2", 200, ">h104.example.com</a>"),
        ("/domain?name=h150.example.com", 200, "id=\"line-1\""),
        ("/domain?name=other.example", 404, "no file in the domains folder serves this name"),
      ] {
        let page = try server.askAdmin(target, [browser])
        #expect(page.status == status && page.text.contains(part), "\(target): \(page.text)")
        #expect(page["Content-Type"] == "text/html; charset=utf-8" && page["Server"] == "aasa")
        #expect(page["Cache-Control"] == "no-store" && page["X-Content-Type-Options"] == "nosniff")
        #expect(page["Content-Security-Policy"]?.contains("script-src 'self';") == true)
        try #expect(server.askAdmin(target, host: "rebinding.example", [browser]).status == 421)
        try #expect(server.askAdmin(target, method: "POST", [browser]).status == 405)
        try #expect(server.askAdmin(target, method: "HEAD", [browser]).body.isEmpty)
        // Never on the public port.
        try #expect(server.get(target, host: "nowhere.example", [browser]).status == 404)
      }
    }
  }

  /// Hosts, and whether they are answered: a page in a browser cannot make it lie about the host.
  private static let hosts: [(host: String?, isAnswered: Bool)] = [
    ("127.0.0.1", true), ("127.0.0.1:12272", true), ("[::1]", true), ("[::1]:12272", true),
    ("10.1.2.3:12272", true), ("localhost", true), ("LocalHost:1", true),
    ("aasa.internal", true), ("AASA.internal:12272", true), ("other.internal", true),
    ("example.com", false), ("rebinding.example:12272", false), ("localhost.example", false),
    ("127.0.0.1.example", false), ("127.1", false), ("aasa", false),
  ]

  @Test func `only addresses, localhost and names from the configuration are answered`() throws {
    let flags = withAdmin + ["--admin-host", "aasa.internal", "--admin-host", "other.internal"]
    try withServer(try workspace(), flags) { server in
      for row in Self.hosts {
        let response = try server.askAdmin("/status", host: row.host)
        #expect(response.status == (row.isAnswered ? 200 : 421), "\(row.host ?? "")")
        if !row.isAnswered { #expect(response.text.contains("--admin-host")) }
      }
      // HTTP/1.0 has no Host field; no browser sends it.
      try #expect(server.askAdmin("/livez", host: nil, version: "HTTP/1.0").status == 200)
    }
  }

  @Test func `only GET and HEAD are answered, and content is not taken`() throws {
    try withServer(try workspace(), withAdmin) { server in
      let head = try server.askAdmin("/metrics", method: "HEAD")
      #expect(head.status == 200 && head.body.isEmpty)
      #expect((head["Content-Length"].flatMap { Int($0) } ?? 0) > 1000)
      // Nothing follows the head but the next answer.
      let kept = try RawClient(port: server.admin)
      try kept.send(
        request("HEAD", "/livez", host: "localhost") + request("GET", "/livez", host: "localhost"))
      try #expect(kept.receive(to: "HEAD")["Content-Length"] == "6")
      let next = try kept.receive()
      #expect(next.status == 200 && next.text == "alive\n")
      for method in ["POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "BREW"] {
        let response = try server.askAdmin("/livez", method: method)
        #expect(response.status == 405)
        #expect(response["Allow"] == "GET, HEAD" && response["Connection"] == "close")
      }
      try #expect(server.askAdmin("/livez", ["Content-Length: 5"]).status == 413)
    }
  }

  @Test func `no request confirms anything: whoever may write the state folder does`() throws {
    try withServer(try workspace(), withAdmin) { server in
      for content in ["", #"{"holds": []}"#] {
        let client = try RawClient(port: server.admin, within: .seconds(30))
        let length = "Content-Length: \(content.utf8.count)"
        try client.send(
          request("POST", "/confirm", host: "localhost", fields: [length]) + content)
        try #expect(client.receive(to: "POST").status == 405)
      }
      try #expect(server.askAdmin("/confirm").status == 404)
    }
  }

  @Test func `a connection is used again, also for requests sent at once`() throws {
    try withServer(try workspace(), withAdmin) { server in
      let client = try RawClient(port: server.admin, within: .seconds(30))
      for _ in 1...3 {
        try client.send(request("GET", "/livez", host: "localhost"))
        try #expect(client.receive().text == "alive\n")
      }
      let both =
        request("GET", "/livez", host: "localhost")
        + request("GET", "/readyz", host: "localhost", fields: ["Connection: close"])
      // Byte by byte, too, all of it is understood.
      for byte in both.utf8 { try client.send([byte]) }
      try #expect(client.receive().text == "alive\n")
      try #expect(client.receive().text == "ready\n")
      try #expect(client.receiveAll().end == .closed)
    }
  }

  /// Invalid requests, and their status.
  private static let faulty: [(bytes: String, status: Int)] = [
    ("GET /livez HTTP/1.1\r\n\r\n", 400), ("GET /livez\r\n\r\n", 400),
    ("GET /livez HTTP/2.0\r\nHost: localhost\r\n\r\n", 505), ("\u{16}\u{3}\u{1}", 400),
    ("GET /" + String(repeating: "x", count: 9_000) + " HTTP/1.1\r\n", 414),
    (
      "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: " + String(repeating: "x", count: 17_000), 431
    ),
    ("GET /livez HTTP/1.1\r\n" + String(repeating: "X: y\r\n", count: 65) + "\r\n", 431),
  ]

  @Test func `an invalid request is refused and the connection closed`() throws {
    try withServer(try workspace(), withAdmin) { server in
      for row in Self.faulty {
        let client = try RawClient(port: server.admin, within: .seconds(30))
        try client.send(row.bytes)
        try #expect(client.receive().status == row.status, "\(row.bytes.prefix(40))")
        try #expect(client.receiveAll().end != .stillOpen)
      }
      try #expect(server.askAdmin("/livez").status == 200)
    }
  }

  @Test func `many connections do not keep others from being answered`() throws {
    try withServer(try workspace(), withAdmin) { server in
      var idle: [RawClient] = []
      for number in 1...80 {
        let client = try RawClient(port: server.admin)
        // Some have begun a request.
        try client.send(number.isMultiple(of: 2) ? "GET /livez" : "")
        idle.append(client)
      }
      try #expect(server.askAdmin("/livez").status == 200)
      try #expect(server.get().status == 200)
      withExtendedLifetime(idle) {}
    }
  }

  @Test func `a head that never ends is not waited for`() throws {
    try withServer(try workspace(), withAdmin) { server in
      let client = try RawClient(port: server.admin)
      try client.send("GET /livez HTTP/1.1\r\nHost: local")
      try #expect(client.receiveAll(within: .seconds(60)).end != .stillOpen)
      try #expect(server.askAdmin("/livez").status == 200)
    }
  }

  // MARK: The address

  @Test func `without an admin listener none is open`() throws {
    try withServer(try workspace(), ["--admin", "none"]) { server in
      #expect(!server.outputLines.contains { $0.hasPrefix("admin ") })
      try #expect(server.get().status == 200)
    }
  }

  @Test func `localhost is both of its addresses`() throws {
    try withServer(try workspace(), ["--admin", "localhost:0"]) { server in
      let lines = server.outputLines.filter { $0.hasPrefix("admin http://") }
      #expect(lines.first?.hasPrefix("admin http://127.0.0.1:") == true)
      try #expect(server.askAdmin("/livez").status == 200)
    }
  }

  @Test func `an address in use is an error if the user asked for it`() throws {
    let workspace = try workspace()
    try withServer(workspace, withAdmin) { server in
      let second = try run(
        Server.program,
        [
          "serve", "--domains", workspace.domains, "--http", "127.0.0.1:0", "--https", "none",
          "--admin", "127.0.0.1:\(server.admin)",
        ], folder: workspace.root)
      #expect(second.exitCode == 1)
      #expect(second.errors.contains("error: cannot listen on the admin address 127.0.0.1:"))
      #expect(second.errors.contains("--admin none") && second.errors.contains("[H040]"))
      #expect(!second.text.contains("listening"))
    }
  }

  @Test func `at its usual address another server's is a warning`() throws {
    // The second server warns; on this machine another one may be first.
    let workspace = try workspace()
    let usual = ["AASA_ADMIN": ""]
    try withServer(workspace, environment: usual) { first in
      first.allow(stderr: "[H040]")
      try withServer(workspace, environment: usual) { second in
        second.expect(
          stderr: "warning: cannot listen on the admin address 127.0.0.1:12272", "[H040]",
          within: .seconds(30))
        #expect(!second.outputLines.contains { $0.hasPrefix("admin ") })
        try #expect(second.get().status == 200)
      }
    }
  }

  /// Invalid or contradicting settings, and the messages.
  private static let wrong: [(flags: [String], said: String)] = [
    (["--http", "8080", "--admin", "127.0.0.1:8080"], "`admin` and `http` both use port 8080"),
    (["--https", "[::]:8443", "--admin", "8443"], "`admin` and `https` both use port 8443"),
    (["--http", "12272"], "`admin` and `http` both use port 12272"),
    (["--admin", "example.com:1"], "example.com:1"), (["--admin", "127.0.0.1"], "127.0.0.1"),
    (["--admin-host", "http://aasa"], "[C021]"), (["--metrics-per-domain", "yes"], "[C020]"),
    (["--drain-delay", "soon"], "[C009]"),
  ]

  @Test func `wrong settings are reported, and the exit code is 2`() throws {
    for row in Self.wrong {
      let finished = try run(
        Server.program, ["config"] + row.flags, environment: ["AASA_ADMIN": ""])
      #expect(finished.exitCode == 2, "\(row.flags)")
      finished.errors.says(.part(row.said))
    }
    // A port alone is not opened to others.
    let config = try run(Server.program, ["config", "--admin", "9999"])
    #expect(config.text.contains("127.0.0.1:9999"))
  }
}
