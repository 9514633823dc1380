import Client
import ScriptedServer
import Testing

/// Fetches that share a connection, as the requests to one CA do.
@Suite struct KeptConnectionTests {
  private func text(_ exchange: Exchange) -> String? {
    exchange.response.map { String(decoding: $0.body, as: UTF8.self) }
  }

  private func server(_ fields: [String] = [], _ more: ScriptedServer.Step...) throws
    -> ScriptedServer
  {
    try ScriptedServer { request in
      [.answer(fields: fields, path(of: request))] + more + [.goOn]
    }
  }

  @Test func `two fetches share a connection, and both say that it stays open`() throws {
    let server = try server()
    let kept = KeptConnection()
    for path in ["/a", "/b", "/c"] {
      try #expect(text(get(server, path: path, keeping: kept)) == path)
    }
    #expect(server.connections == 1 && server.requests.count == 3)
    #expect(server.requests.allSatisfy { !$0.contains("Connection: close") })
  }

  @Test func `a connection over TLS is shared, too, with one handshake`() throws {
    let authority = Authority()
    let server = try ScriptedServer(identity: authority.identity()) { request in
      [.answer(path(of: request)), .goOn]
    }
    let (kept, context) = (KeptConnection(), try authority.context())
    for path in ["/a", "/b"] {
      try #expect(text(get(server, .https, path: path, context, keeping: kept)) == path)
    }
    #expect(server.connections == 1 && server.requests.count == 2)
  }

  @Test func `a server that closes is connected to again`() throws {
    let server = try server(["Connection: close"])
    let kept = KeptConnection()
    for path in ["/a", "/b"] {
      try #expect(text(get(server, path: path, keeping: kept)) == path)
    }
    #expect(server.connections == 2)
  }

  @Test func `bytes that nobody asked for are no answer to the next request`() throws {
    let server = try server([], .answer("forged"))
    let kept = KeptConnection()
    for path in ["/a", "/b"] {
      try #expect(text(get(server, path: path, keeping: kept)) != "forged")
    }
    #expect(server.requests.contains { $0.hasPrefix("GET /b ") })
  }

  @Test func `another server gets a connection of its own`() throws {
    let (one, other) = (try server(), try server())
    let kept = KeptConnection()
    for server in [one, other, one] {
      try #expect(text(get(server, path: "/a", keeping: kept)) == "/a")
    }
    #expect(one.connections == 2 && other.connections == 1)
  }

  @Test func `without a place to keep it each fetch has a connection of its own`() throws {
    let server = try server()
    for path in ["/a", "/b"] { try #expect(text(get(server, path: path)) == path) }
    #expect(server.connections == 2)
    #expect(server.requests.allSatisfy { $0.contains("Connection: close") })
  }
}
