import Catalog
import Settings
import Testing

@testable import Server

/// The clients that are served when there are too many connections. The optimizer releases an array
/// after its last use, and with it the clients in it, which closes their connections: what must stay
/// connected is kept until the end of its test.
@Suite struct ConnectionLimitTests {
  @Test
  func `a client that waits with half a head is dropped before a client that has just connected`()
    throws
  {
    let server = try RunningServer { $0.maxConnections = 16 }
    func halfHead() throws -> TestClient {
      let client = try TestClient(server)
      client.send("GET / HTTP/1.1\r\nHost: exa")
      return client
    }
    // Served ones are known to be there, and one that has sent an empty line and waits.
    let served = try (0..<4).map { _ in try TestClient(server) }
    for client in served {
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
    }
    var attackers = try (0..<12).map { _ in try halfHead() }
    defer { withExtendedLifetime(attackers) {} }
    let newcomer = try TestClient(server)
    newcomer.send("\r\n")
    for _ in 0..<10 { attackers.append(try halfHead()) }
    #expect(attackers[0].receiveAll() == [])
    newcomer.send(request())
    #expect(newcomer.receive(responses: 1)?.count == 1)
    for _ in 0..<40 { attackers.append(try halfHead()) }
    // Those that were served keep their share, however many come.
    for client in served {
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
    }
  }

  @Test func `connections that were served and wait have half of the room`() throws {
    let server = try RunningServer { $0.maxConnections = 16 }
    func waiting() throws -> TestClient {
      let client = try TestClient(server)
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
      return client
    }
    let newcomers = try (0..<6).map { _ in try TestClient(server) }
    for client in newcomers { client.send("GET /apple-app-site-association HTTP/1.1\r\n") }
    var served: [TestClient] = []
    defer { withExtendedLifetime(served) {} }
    for _ in 0..<40 { served.append(try waiting()) }
    for client in newcomers {
      client.send("Host: a.test\r\n\r\n")
      #expect(client.receive(responses: 1)?.count == 1)
    }
  }

  @Test func `connections of a client are counted over all threads`() throws {
    let limit = 6
    for _ in 0..<10 {
      let server = try RunningServer {
        $0.maxConnections = 1_000
        $0.threads = 4
        $0.connections.maxConnectionsPerClient = limit
        $0.countsLoopback = true
      }
      var clients: [TestClient] = []
      defer { withExtendedLifetime(clients) {} }
      for _ in 0..<limit {
        let client = try TestClient(server)
        client.send(request())
        #expect(client.receive(responses: 1)?.count == 1)
        clients.append(client)
      }
      let another = try TestClient(server)
      another.send(request())
      // One that is served stays open, and is waited for.
      try #require((another.receiveAll() ?? []).isEmpty)
    }
  }

  @Test func `where memory is short, the oldest handshake makes room for a new one`() throws {
    // Room for 21 handshakes, which take 48 KiB each.
    let server = try RunningServer(memory: 1 << 20) { $0.connections.handshakeTimeout = 600_000 }
    func begin(_ count: Int) throws -> [TestClient] {
      try (0..<count).map { _ in
        let client = try TestClient(server)
        client.send("\u{16}")
        return client
      }
    }
    let first = try begin(16)
    defer { withExtendedLifetime(first) {} }
    // The server has taken all: of what it takes later, the first is the first to go.
    #expect(!first.contains { $0.hasInput(within: 20) })
    let later = try begin(16)
    defer { withExtendedLifetime(later) {} }
    #expect(first[0].hasInput(within: 45_000))
    #expect(later.last?.hasInput(within: 20) == false)
  }

  @Test func `that one address has all connections of a client is said once`() throws {
    let messages = Messages()
    let server = try RunningServer(log: messages.log) {
      $0.connections.maxConnectionsPerClient = 2
      $0.countsLoopback = true
    }
    var clients: [TestClient] = []
    defer { withExtendedLifetime(clients) {} }
    for index in 0..<5 {
      let client = try TestClient(server)
      client.send(request())
      if index < 2 {
        #expect(client.receive(responses: 1)?.count == 1)
      } else {
        #expect((client.receiveAll() ?? []).isEmpty)
      }
      clients.append(client)
    }
    server.stop()
    let lines = messages.lines
    #expect(lines.count == 1)
    #expect(
      lines.first?.hasPrefix("one address has 2 connections, the limit for one client; ") == true)
  }
}
