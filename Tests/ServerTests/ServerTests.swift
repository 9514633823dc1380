import Catalog
import Foundation
import HTTP
import Logging
import Posix
import Settings
import TLS
import Testing

@testable import Server

/// A server in this process, on a port of its own.
final class RunningServer: Sendable {
  let server: Server
  let port: UInt16

  /// - Parameter memory: The bytes that connections may take. They use TLS then, as only these need so
  ///   much.
  init(
    log: Logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, memory: Int? = nil,
    _ change: (inout Server.Options) -> Void = { _ in }
  ) throws {
    var options = Server.Options(threads: 1, maxConnections: 10_000)
    change(&options)
    let address = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
    server = try Server(
      options: options, endpoints: [.init(address: address, isSecure: memory != nil)],
      publisher: CatalogPublisher(TestCatalog.make()),
      context: memory == nil ? nil : ServerContext(), log: log)
    port = try #require(server.endpoints.first).address.port
    try server.start(memory: memory)
  }

  func stop() { server.stop() }

  deinit { stop() }
}

/// A client that blocks, but never longer than a minute.
final class TestClient: Sendable {
  private let descriptor: Int32

  init(_ server: RunningServer, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    if var bytes = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = server.port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw SystemError("connect", code: errno) }
  }

  deinit { close(descriptor) }

  /// Whether all of it was sent.
  @discardableResult
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
  }

  func endSending() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Receives at most this many bytes; empty at the end, nil after a reset or a timeout.
  func receive(_ limit: Int = 65_536) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: limit)
    let count = recv(descriptor, &buffer, limit, 0)
    return count < 0 ? nil : Array(buffer[..<count])
  }

  /// Waits for something to receive, or for the end.
  func hasInput(within milliseconds: Int32) -> Bool {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&watched, 1, milliseconds) == 1
  }

  /// All bytes until the end of the stream; nil after a reset or a timeout.
  func receiveAll() -> [UInt8]? {
    var result: [UInt8] = []
    while let bytes = receive() {
      if bytes.isEmpty { return result }
      result += bytes
    }
    return nil
  }

  /// All responses until there are `count`; nil if they do not come in time.
  func receive(responses count: Int) -> [Response]? {
    var bytes: [UInt8] = []
    while true {
      guard let more = receive(), !more.isEmpty else { return nil }
      bytes += more
      if let found = responses(in: bytes), found.count >= count { return found }
    }
  }
}

@Suite(.serialized) struct ServerTests {
  @Test func `one connection serves many requests`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    for _ in 0..<3 {
      client.send(request())
      #expect(client.receive(responses: 1)?.map(\.body) == [TestCatalog.small])
    }
    client.send(request() + request("x.test") + request("a.test", "Connection: close"))
    let rest = client.receiveAll().flatMap { responses(in: $0) }
    #expect(rest?.map(\.status) == [200, 404, 200])
  }

  @Test func `a request in single bytes is answered`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    for byte in request().unicodeScalars { client.send(String(byte)) }
    #expect(client.receive(responses: 1)?.map(\.status) == [200])
  }

  @Test func `a client that does not read is waited for, and gets all in order`() throws {
    let server = try RunningServer()
    let client = try TestClient(server, receiveBuffer: 4_096)
    // Many times what the kernel holds for a connection, with small answers in between and a
    // request that is cut off by the block.
    let hosts = (0..<300).map { $0 % 7 == 0 ? "a.test" : "large.test" }
    let sender = Foundation.Thread {
      for host in hosts { client.send(request(host)) }
      client.send(request("a.test", "Content-Length: 3", "Connection: close") + "abc")
    }
    sender.start()
    let bytes = try #require(client.receiveAll())
    let found = try #require(responses(in: bytes))
    #expect(found.count == hosts.count + 1)
    let wrong = zip(found, hosts).filter { response, host in
      response.body != (host == "a.test" ? TestCatalog.small : TestCatalog.large)
    }
    #expect(wrong.isEmpty)
  }

  @Test func `a client that has ended its side gets its answers`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    client.send(request("large.test") + request())
    client.endSending()
    let found = client.receiveAll().flatMap { responses(in: $0) }
    #expect(found?.map(\.body) == [TestCatalog.large, TestCatalog.small])
  }

  @Test func `a faulty request is answered, and the rest dropped without a reset`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    client.send("GET / HTTP/1.1\r\n\r\n" + String(repeating: "x", count: 100_000))
    // The answer is not lost although the server has not read everything.
    let found = client.receiveAll().flatMap { responses(in: $0) }
    #expect(found?.map(\.status) == [400])
  }

  @Test func `a client that sends more after its last request gets its answer, and no reset`()
    throws
  {
    let server = try RunningServer()
    let client = try TestClient(server)
    // More than the server reads at once.
    client.send(request("a.test", "Connection: close") + String(repeating: "x", count: 100_000))
    client.endSending()
    let bytes = try #require(client.receiveAll())
    #expect(responses(in: bytes)?.map(\.status) == [200])
  }

  @Test func `TLS on the plain port is closed without an answer`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    client.send("\u{16}\u{3}\u{1}\u{0}")
    #expect(client.receiveAll() == [])
  }

  @Test func `each state has its time`() throws {
    let server = try RunningServer {
      $0.connections.headTimeout = 60
      $0.connections.bodyTimeout = 60
      $0.connections.idleTimeout = 60
    }
    // The bytes to send, and the bytes before the end.
    let rows: [(input: String, statuses: [Int])] = [
      // nothing: closed
      ("", []),
      // a part of a head
      ("GET / HTTP/1.1\r\n", [408]),
      ("\r\n", [408]),
      // a part of its content
      (request("a.test", "Content-Length: 5") + "ab", [408]),
      // nothing after a request
      (request(), [200]),
      // a part of the next head
      (request() + "G", [200, 408]),
    ]
    for (input, statuses) in rows {
      let client = try TestClient(server)
      client.send(input)
      let found = client.receiveAll().flatMap { responses(in: $0) }
      #expect(found?.map(\.status) == statuses, "\(input)")
    }
  }

  @Test func `a head has its time as a whole, not for each byte`() throws {
    let server = try RunningServer { $0.connections.headTimeout = 1_000 }
    let client = try TestClient(server)
    client.send("GET / HTTP/1.1\r\nX: ")
    // A byte each time that ten milliseconds have brought no answer.
    var sent = 0
    while !client.hasInput(within: 10) && sent < 5_000 {
      client.send("x")
      sent += 1
    }
    #expect(sent > 1)
    #expect(client.receiveAll().flatMap { responses(in: $0) }?.map(\.status) == [408])
  }

  @Test func `a client that does not read loses its connection`() throws {
    let server = try RunningServer {
      $0.connections.writeTimeout = 60
      $0.connections.idleTimeout = 200
    }
    let client = try TestClient(server, receiveBuffer: 4_096)
    for _ in 0..<100 { client.send(request("large.test")) }
    // Its time is over before that of one that came later and has more of it.
    let later = try TestClient(server)
    #expect(later.receiveAll() == [])
    let bytes = client.receiveAll()
    #expect(bytes == nil || bytes.flatMap { responses(in: $0) } == nil)
  }

  @Test func `over the limit of connections the idlest goes`() throws {
    let server = try RunningServer { $0.maxConnections = 3 }
    let clients = try (0..<3).map { _ in try TestClient(server) }
    for client in clients {
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
    }
    // The first becomes the busiest.
    clients[0].send(request())
    #expect(clients[0].receive(responses: 1)?.count == 1)
    let another = try TestClient(server)
    another.send(request())
    #expect(another.receive(responses: 1)?.count == 1)
    #expect(clients[1].receiveAll() == [])
    for client in [clients[0], clients[2], another] {
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
    }
  }

  @Test func `a client at its limit of connections gets no more until one has closed`() throws {
    let server = try RunningServer {
      $0.maxConnections = 100
      $0.connections.maxConnectionsPerClient = 3
      $0.countsLoopback = true
    }
    var clients = try (0..<3).map { _ in try TestClient(server) }
    defer { withExtendedLifetime(clients) {} }
    for client in clients {
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
    }
    for _ in 0..<20 {
      let another = try TestClient(server)
      another.send(request())
      // One that is served stays open, and is waited for.
      try #require((another.receiveAll() ?? []).isEmpty)
    }
    // Those that are there stay.
    for client in clients {
      client.send(request())
      #expect(client.receive(responses: 1)?.count == 1)
    }
    clients.removeFirst()
    var isServed = false
    let deadline = Deadline(afterMilliseconds: 45_000)
    while !isServed && !deadline.isOver {
      let another = try TestClient(server)
      another.send(request())
      isServed = another.receive(responses: 1)?.count == 1
    }
    #expect(isServed)
  }

  @Test func `a new catalog is served on connections that are there`() throws {
    let server = try RunningServer()
    let client = try TestClient(server)
    client.send(request())
    #expect(client.receive(responses: 1)?.map(\.status) == [200])
    server.server.publisher.publish(Catalog(sites: [], aliases: [], material: nil))
    client.send(request())
    #expect(client.receive(responses: 1)?.map(\.status) == [404])
  }

  @Test func `stopping answers requests that have arrived, and ends idle connections`() throws {
    let server = try RunningServer {
      $0.threads = 2
      $0.connections.drainAllowance = 5_000
    }
    let idle = try TestClient(server)
    idle.send(request())
    #expect(idle.receive(responses: 1)?.count == 1)
    let halfway = try TestClient(server)
    halfway.send("GET /apple-app-site-association HTTP/1.1\r\n")
    let waiting = try TestClient(server)
    waiting.send(request())
    let stopping = Foundation.Thread { server.stop() }
    stopping.start()
    // The end of the idle one shows that it is stopping.
    #expect(idle.receiveAll() == [])
    halfway.send("Host: a.test\r\n\r\n")
    for client in [halfway, waiting] {
      let found = client.receiveAll().flatMap { responses(in: $0) }
      #expect(found?.map(\.status) == [200])
      #expect(client !== halfway || found?.first?.has("Connection: close") == true)
    }
  }

  @Test func `stopping waits no longer than the grace period`() throws {
    let server = try RunningServer {
      $0.connections.gracePeriod = 100
      $0.connections.headTimeout = 600_000
    }
    let client = try TestClient(server)
    client.send("GET / HTTP/1.1\r\n")
    let other = try TestClient(server)
    other.send(request())
    #expect(other.receive(responses: 1)?.count == 1)
    let start = Posix.Clock.monotonicMilliseconds()
    server.stop()
    #expect(Posix.Clock.monotonicMilliseconds() - start < 60_000)
  }

  @Test func `an address in use is reported, together with all others`() throws {
    let server = try RunningServer()
    let taken = try #require(SocketAddress(literal: "127.0.0.1", port: server.port))
    let foreign = try #require(SocketAddress(literal: "192.0.2.1", port: 0))
    let endpoints = [taken, foreign].map { Server.Endpoint(address: $0, isSecure: false) }
    let faults = faultsOfOpening(endpoints, server.server.publisher)
    #expect(faults.map(\.isAddressInUse) == [true, false])
    #expect(faults.map(\.isNoSuchAddress) == [false, true])
  }

  private func faultsOfOpening(
    _ endpoints: [Server.Endpoint], _ publisher: CatalogPublisher
  ) -> [SystemError] {
    do throws(ServerError) {
      _ = try Server(
        options: Server.Options(threads: 1, maxConnections: 10_000), endpoints: endpoints,
        publisher: publisher, context: nil,
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
      return []
    } catch {
      switch error {
      case .endpoints(let faults): return faults.map(\.error)
      case .system(let error), .accessLog(let error): return [error]
      }
    }
  }
}
