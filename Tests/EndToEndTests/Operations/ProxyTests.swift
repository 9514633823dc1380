import Foundation
import TestRunning
import Testing

@testable import EndToEnd

@Suite(.manyAtOnce) struct ProxyTests {
  static let trusting = ["--trusted-proxies", "127.0.0.0/8"]

  static func workspace() throws -> Workspace {
    let workspace = try Workspace(serving: [
      "a.example": association("A"), "b.example": association("B"),
    ])
    return workspace
  }

  static let forwardingFields = [
    ["X-Forwarded-Host: b.example"], ["X-Forwarded-Host: B.EXAMPLE:443, b.example"],
    ["Forwarded: for=192.0.2.7;host=b.example;proto=https"],
  ]

  @Test(arguments: forwardingFields)
  func `a trusted proxy's host selects the domain only when Host names none`(
    _ fields: [String]
  ) throws {
    let workspace = try Self.workspace()
    try withServer(workspace, Self.trusting) { server in
      // Many proxies forward the client's own value.
      try #expect(server.get(host: "a.example", fields).text == association("A"))
      try #expect(server.get(host: "A.EXAMPLE.:80", fields).text == association("A"))
      try #expect(server.get(host: "tunnel.internal", fields).text == association("B"))
      try #expect(server.get(host: "tunnel.internal").status == 404)
      try #expect(server.get(host: "a.example").text == association("A"))
    }
    // An entry for all other hosts does not name this one.
    try workspace.write("domains/_default.json", association("D"))
    try workspace.write("domains/_wildcard.wild.example.json", association("W"))
    try withServer(workspace, Self.trusting) { server in
      try #expect(server.get(host: "tunnel.internal", fields).text == association("B"))
      try #expect(server.get(host: "tunnel.internal").text == association("D"))
      try #expect(server.get(host: "x.wild.example", fields).text == association("W"))
      let unknown = ["X-Forwarded-Host: unknown.example"]
      try #expect(server.get(host: "tunnel.internal", unknown).text == association("D"))
    }
    try workspace.remove("domains/_default.json")
    try withServer(workspace, ["--trusted-proxies", "10.0.0.0/8,192.0.2.1"]) { server in
      try #expect(server.get(host: "a.example", fields).text == association("A"))
    }
    try withServer(workspace) { server in
      try #expect(server.get(host: "a.example", fields).text == association("A"))
    }
  }

  @Test(arguments: [
    "X-Forwarded-Host: b.example, b@d", "X-Forwarded-Host: b example",
    "X-Forwarded-Host: b.example/x", "Forwarded: host=\"b example\"",
  ])
  func `a trusted proxy's host that is malformed gets 400`(_ field: String) throws {
    let workspace = try Self.workspace()
    try withServer(workspace, Self.trusting) { server in
      try #expect(server.get(host: "a.example", [field]).status == 400)
      try #expect(server.get(host: "tunnel.internal", [field]).status == 400)
    }
    // From any other client it is ignored.
    try withServer(workspace) { server in
      try #expect(server.get(host: "a.example", [field]).status == 200)
    }
  }

  @Test(.needs(.curl)) func `a forwarded host does not replace the host of the certificate`() throws
  {
    let workspace = try Self.workspace()
    let authority = try TestAuthority()
    for name in ["a", "b"] {
      try workspace.install(try authority.issue("\(name).example"), as: name)
    }
    try withServer(workspace, https: true, Self.trusting, environment: authority.environment) {
      server in
      func answer(_ host: String, forwarded: String) throws -> Response? {
        try server.curl(
          "--cacert", authority.rootFile, "--header", "Host: \(host)", "--header",
          "X-Forwarded-Host: \(forwarded)", "https://a.example" + associationPaths[0]
        ).response
      }
      try #expect(answer("a.example", forwarded: "b.example")?.text == association("A"))
      try #expect(answer("b.example", forwarded: "a.example")?.status == 421)
      try #expect(answer("tunnel.internal", forwarded: "a.example")?.status == 421)
    }
  }

  @Test func `the access log has the client that the proxy names`() throws {
    let workspace = try Self.workspace()
    let file = workspace.path("access")
    let flags = Self.trusting + ["--access-log", file, "--log-addresses", "full"]
    try withServer(workspace, flags) { server in
      _ = try server.get(host: "a.example", ["X-Forwarded-For: 1.1.1.1, 192.0.2.7, 127.0.0.9"])
      _ = try server.get(host: "a.example", ["X-Forwarded-For: unknown"])
      _ = try server.get(host: "x.example", [#"Forwarded: for="[2001:db8::9]:80";host=b.example"#])
      let lines = try AccessLogTests.lines(of: file, count: 3)
      #expect(
        Set(lines.map { "\($0.client ?? "-") \($0.host)" })
          == ["192.0.2.7 a.example", "127.0.0.1 a.example", "2001:db8::9 b.example"])
    }
  }

  private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 81, 85, 73, 84, 10]

  /// The kind of header, and the client whose connection it begins: the proxy's own, a known
  /// client's or an unknown one's; nil if it is refused.
  static let headers: [(what: String, bytes: [UInt8], client: String?)] = [
    ("version 1", Array("PROXY TCP4 192.0.2.7 198.51.100.1 5 80\r\n".utf8), "192.0.2.7"),
    ("version 1, IPv6", Array("PROXY TCP6 2001:db8::9 ::1 5 80\r\n".utf8), "2001:db8::9"),
    ("unknown", Array("PROXY UNKNOWN\r\n".utf8), "unknown"),
    (
      "version 2",
      signature + [0x21, 0x11, 0, 17, 192, 0, 2, 7, 198, 51, 100, 1, 0, 5, 0, 80, 4, 0, 2, 1, 2],
      "192.0.2.7"
    ),
    ("local", signature + [0x20, 0, 0, 0], "proxy"),
    // These carry the bytes of another, unknown client.
    ("no family", signature + [0x21, 0, 0, 0], "unknown"),
    (
      "UDP", signature + [0x21, 0x12, 0, 12, 192, 0, 2, 7, 198, 51, 100, 1, 0, 5, 0, 80], "unknown"
    ),
    (
      "a local socket", signature + [0x21, 0x31, 0, 216] + Array(repeating: 47, count: 216),
      "unknown"
    ),
    // an invalid header ends the connection
    ("none", [], nil),
    ("a wrong one", Array("PROXY TCP4 example.com 198.51.100.1 5 80\r\n".utf8), nil),
  ]

  @Test(arguments: headers)
  func `the PROXY protocol names the client`(
    _ row: (what: String, bytes: [UInt8], client: String?)
  ) throws {
    let workspace = try Self.workspace()
    let file = workspace.path("access")
    let flags =
      Self.trusting + ["--proxy-protocol", "on", "--access-log", file, "--log-addresses", "full"]
    try withServer(workspace, flags) { server in
      let client = try RawClient(port: server.http)
      try client.send(row.bytes + Array(request(host: "a.example").utf8))
      guard let expected = row.client else {
        let (bytes, end) = try client.receiveAll()
        #expect(bytes.isEmpty && end != .stillOpen)
        server.expect(stderr: "PROXY protocol", within: .seconds(30))
        return
      }
      try #expect(client.receive().text == association("A"))
      // It is before the first request only. The client's own claims are not trusted.
      let address = ["proxy", "unknown"].contains(expected) ? "127.0.0.1" : expected
      let claims = ["X-Forwarded-Host: b.example", "X-Forwarded-For: 192.0.2.99"]
      try client.send(request(host: "tunnel.internal", fields: claims))
      let isBelieved = expected == "proxy"
      try #expect(client.receive().status == (isBelieved ? 200 : 404))
      try #expect(
        AccessLogTests.lines(of: file, count: 2).map(\.client)
          == [address, isBelieved ? "192.0.2.99" : address])

      // Byte by byte it is the same.
      let slow = try RawClient(port: server.http)
      for byte in row.bytes + Array(request(host: "a.example").utf8) { try slow.send([byte]) }
      try #expect(slow.receive().text == association("A"))
      try #expect(AccessLogTests.lines(of: file, count: 3).last?.client == address)
    }
  }

  @Test func `a client behind a proxy gets its share back when its connections end`() throws {
    let flags =
      Self.trusting + ["--proxy-protocol", "on", "--max-connections-per-client", "4"]
    try withServer(try Self.workspace(), flags) { server in
      for _ in 0..<12 {
        let client = try RawClient(port: server.http)
        let fields = ["Connection: close"]
        try client.send(
          "PROXY TCP4 192.0.2.7 198.51.100.1 5 80\r\n" + request(host: "a.example", fields: fields))
        let (bytes, _) = try client.receiveAll()
        try #expect(Response.all(in: bytes).map(\.status) == [200])
      }
    }
  }

  @Test func `the PROXY protocol comes before TLS`() throws {
    let workspace = try Self.workspace()
    let file = workspace.path("access")
    let flags =
      Self.trusting + ["--proxy-protocol", "on", "--access-log", file, "--log-addresses", "full"]
    try withServer(workspace, https: true, flags) { server in
      server.allow(stderr: "uses a self-signed certificate")
      let client = try RawClient(port: server.https)
      // The bytes after it are not TLS, which shows only after the header has been read.
      try client.send("PROXY TCP4 192.0.2.7 198.51.100.1 5 80\r\nGET / HTTP/1.1\r\n\r\n")
      let (bytes, _) = try client.receiveAll()
      #expect(String(decoding: bytes, as: UTF8.self).contains("this port speaks HTTPS"))
      try #expect(AccessLogTests.lines(of: file, count: 1).map(\.client) == ["192.0.2.7"])
    }
  }

  @Test func `a PROXY header from another client than a trusted proxy is refused`() throws {
    let workspace = try Self.workspace()
    let flags = ["--trusted-proxies", "192.0.2.0/24", "--proxy-protocol", "on"]
    try withServer(workspace, flags) { server in
      try #expect(server.get(host: "a.example").status == 200)
      let client = try RawClient(port: server.http)
      try client.send("PROXY TCP4 192.0.2.7 198.51.100.1 5 80\r\n" + request(host: "a.example"))
      try #expect(client.receive().status == 400)
    }
  }

  @Test func `the default entry answers for allowed hosts only`() throws {
    let workspace = try Self.workspace()
    try workspace.write("domains/_default.json", association("D"))
    let flags = ["--allow-hosts", "*.tunnel.example", "--allow-hosts", "one.example"]
    try withServer(workspace, flags) { server in
      let rows: [(host: String, served: String)] = [
        ("x.tunnel.example", association("D")), ("y.x.TUNNEL.example", association("D")),
        ("tunnel.example", association("D")), ("one.example", association("D")),
        ("two.example", "404"), ("x.one.example", "404"), ("atunnel.example", "404"),
        // An entry of its own needs no leave.
        ("a.example", association("A")),
      ]
      for (host, served) in rows { try #expect(server.served(host) == served, "\(host)") }
    }
    try withServer(workspace) { server in
      try #expect(server.served("two.example") == association("D"))
    }
  }

  @Test(arguments: [
    (["--trusted-proxies", "10.0.0.0/33"], "C022"),
    (["--trusted-proxies", "proxy.example"], "C022"),
    (["--proxy-protocol", "on"], "C019"), (["--allow-hosts", "https://x"], "C021"),
    (["--allow-hosts", "a.*"], "C021"), (["--proxy-protocol", "yes"], "C020"),
  ])
  func `wrong settings are reported`(_ row: (flags: [String], code: String)) throws {
    let result = try run(Server.program, ["serve"] + row.flags)
    #expect(result.exitCode == 2)
    #expect(result.errors.contains("[\(row.code)]"))
  }
}
