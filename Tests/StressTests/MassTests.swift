import Foundation
import TLSTestSupport
import TestRunning
import Testing

@testable import EndToEnd

/// As many connections as a server may have, and as many again.
@Suite(
  "trust: ten thousand connections", .stress, .serialized,
  .enabled(if: raiseDescriptorLimit(to: 18_000), "this many files cannot be opened here"))
struct MassTests {
  private static let count = 10_000

  private func serving(
    https: Bool = false, _ flags: [String], leaving leftover: (index: Int, times: Int)? = nil,
    _ body: (Server) throws -> Void
  ) throws {
    let workspace = try Workspace(serving: [
      "example.com": association(), "large.example": association(ofBytes: 100_000),
    ])
    let all = ["--threads", "1", "--idle-timeout", "10m"] + flags
    try withServer(workspace, https: https, all) { server in
      server.allow(stderr: "[H021]")
      try #expect(server.get().status == 200)
      let before = Resources(of: server.process)
      let work = try leftover.map { try Self.work(of: $0.times, leaving: $0.index, server) }
      try server.attacked(work: work ?? .zero) { try body(server) }
      // The tables of the connections stay.
      #expect(Resources.areBack(server.process, to: before, memory: 12 << 20))
      try #expect(server.get().status == 200)
    }
  }

  /// Memory of the server, if it is known: not under AddressSanitizer.
  private func memory(_ server: Server) -> Int? {
    ProcessInfo.processInfo.environment["ASAN_OPTIONS"] == nil
      ? Resources(of: server.process)?.memory : nil
  }

  @Test func `ten thousand idle connections, and ten thousand more`() throws {
    try serving(["--max-connections", "\(Self.count)"]) { server in
      var clients: [RawClient?] = []
      var atLimit: Int?
      for index in 0..<(2 * Self.count) {
        let client = try RawClient(port: server.http, within: .seconds(30))
        try client.send(request())
        try #expect(client.receive().status == 200)
        clients.append(client)
        if clients.count == Self.count { atLimit = memory(server) }
        guard index >= Self.count else { continue }
        // The idlest has made room.
        let oldest = index - Self.count
        let end = try clients[oldest]?.receiveAll(within: .seconds(30)).end
        #expect(end == .closed, "connection \(oldest)")
        clients[oldest] = nil
        if end != .closed { break }
      }
      if let atLimit, let now = memory(server) {
        #expect(now < atLimit + 4 << 20, "at the limit memory does not grow further")
      }
      // A healthy client has made room for itself, too.
      try clients[Self.count + 100]?.send(request())
      try #expect(clients[Self.count + 100]?.receive().status == 200)
    }
  }

  @Test
  func `ten thousand idle connections over TLS take less than 200 MB, ten thousand more none`()
    throws
  {
    try serving(https: true, ["--max-connections", "\(Self.count)"]) { server in
      var clients: [OpenDescriptor?] = []
      var atLimit: Int?
      // More than the limit in the end, but not as many again: handshakes take their time.
      for index in 0..<(Self.count + 2_000) {
        clients.append(try idleConnection(port: server.https))
        if clients.count == Self.count { atLimit = memory(server) }
        guard index >= Self.count else { continue }
        let isClosed = clients[index - Self.count]?.isClosed(within: .seconds(30)) == true
        #expect(isClosed)
        clients[index - Self.count] = nil
        if !isClosed { break }
      }
      if let atLimit, let now = memory(server) {
        #expect(atLimit < 200_000_000, "\(atLimit) bytes")
        #expect(
          now < atLimit + 4 << 20, "at the limit memory does not grow further: \(atLimit), \(now)")
      }
      try #expect(server.get().status == 200)
    }
  }

  /// The parts of a handshake that clients may send, and the most memory that the server may need
  /// for each.
  private static let beginnings: [(name: String, bytes: [UInt8], memory: Int)] = [
    ("one byte", [0x16], 1_024),
    (
      "a part of a ClientHello",
      [0x16, 3, 1, 2, 0, 1, 0, 1, 0xFC] + [UInt8](repeating: 3, count: 400), 20_480
    ),
    // The answer to it is not read. What a memory limit allows is reckoned by this.
    ("a whole ClientHello", clientHello(), 49_152),
  ]

  /// The first bytes of a client, from a handshake that nobody answers.
  private static func clientHello() -> [UInt8] {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return [] }
    defer { close(ends[1]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    let client = TestClient(.init(), owning: ends[0])
    _ = client.handshake()
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = read(ends[1], &bytes, bytes.count)
    return withExtendedLifetime(client) { Array(bytes.prefix(max(0, count))) }
  }

  @Test(arguments: beginnings.indices)
  func `half-open TLS connections take next to nothing`(index: Int) throws {
    let beginning = Self.beginnings[index]
    try #require(!beginning.bytes.isEmpty)
    let count = 4_000
    let flags = ["--max-connections", "\(2 * count)", "--handshake-timeout", "10m"]
    try serving(https: true, flags) { server in
      let port = server.https
      func open(_ count: Int) throws -> [RawClient] {
        try (0..<count).map { _ in
          let client = try RawClient(port: port, within: .seconds(30))
          try client.send(beginning.bytes)
          return client
        }
      }
      // Tables that grow once are not counted.
      var clients = try open(count / 4)
      try #expect(server.get().status == 200)
      guard let before = memory(server) else { return }
      clients += try open(count)
      try #expect(server.get().status == 200)
      guard let after = memory(server) else { return }
      #expect((after - before) / count < beginning.memory, "\(beginning.name)")
    }
  }

  /// The states in which clients may leave a connection, as the bytes that they send.
  private static let leftovers: [(name: String, text: String, rest: String, answers: Int)] = [
    (
      "a head that is nearly too long", String(request(ofBytes: 16_384).dropLast(2)),
      "\r\n\r\n", 1
    ),
    (
      "a body of which the end is missing", request("POST", fields: ["Content-Length: 9999"]) + "x",
      String(repeating: "x", count: 9998), 1
    ),
    ("pipelined requests", String(repeating: request(), count: 100), "", 100),
    (
      "answers that the client does not take",
      String(repeating: request(host: "large.example"), count: 60), "",
      60
    ),
  ]

  /// The time a server needs for the work that this many clients leave.
  private static func work(of count: Int, leaving index: Int, _ server: Server) throws -> Duration {
    let leftover = leftovers[index]
    let start = ContinuousClock.now
    let client = try RawClient(port: server.http)
    try client.send(leftover.text)
    try client.send(leftover.rest)
    for _ in 0..<leftover.answers { _ = try client.receive() }
    return (.now - start) * count
  }

  @Test(arguments: leftovers.indices)
  func `at the limit memory does not grow further, whatever clients leave`(index: Int) throws {
    let leftover = Self.leftovers[index]
    let limit = 400
    let flags = ["--max-connections", "\(limit)", "--head-timeout", "10m", "--body-timeout", "10m"]
    try serving(
      flags + ["--write-timeout", "10m"], leaving: (index, limit)
    ) { server in
      var clients: [RawClient] = []
      var peaks: [Int] = []
      for _ in 0..<3 {
        for _ in 0..<limit {
          let client = try RawClient(port: server.http, within: .seconds(30))
          client.shrinkReceiveBuffer()
          try client.send(leftover.text)
          clients.append(client)
        }
        // Those that were sent before this one have been seen.
        try #expect(server.get().status == 200)
        if let memory = memory(server) { peaks.append(memory) }
        clients.removeFirst(clients.count - limit)
      }
      guard let first = peaks.first, let last = peaks.last else { return }
      #expect(last < first + 4 << 20, "\(leftover.name): \(peaks)")
    }
  }
}
