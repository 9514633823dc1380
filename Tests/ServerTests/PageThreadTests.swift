import HTTP
import Posix
import Synchronization
import Testing

@testable import Server

/// Connections to a listener of pages, each with a thread of its own.
@Suite(.serialized) struct PageThreadTests {
  private static let largeBytes = 16 << 20
  private let large = PageAnswer(
    contentType: "text/plain", Array(repeating: UInt8(ascii: "x"), count: largeBytes))

  private func listening(
    connections: Int, _ answer: @escaping @Sendable (PageRequest) -> PageReply
  ) throws -> PageListener {
    var limits = PageLimits.admin
    limits.connections = connections
    return try listening(limits, answer)
  }

  private func listening(
    _ limits: PageLimits = .admin, _ answer: @escaping @Sendable (PageRequest) -> PageReply
  ) throws -> PageListener {
    let loopback = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
    let listener = try PageListener([loopback], limits: limits)
    try listener.start(named: "test", answer)
    return listener
  }

  /// A connection to a listener, on which something was sent.
  private final class Client {
    private let descriptor: FileDescriptor

    init(_ listener: PageListener, _ text: String) throws {
      let address = try #require(listener.addresses.first)
      let deadline = Deadline(afterMilliseconds: 30_000)
      descriptor = try FileDescriptor.connected(to: address, until: deadline)
      send(text)
    }

    static func get(_ listener: PageListener, _ path: String, _ field: String = "") throws -> Client
    {
      try Client(listener, "GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
    }

    func send(_ text: String) {
      #expect(descriptor.send(Array(text.utf8).span) == .moved(text.utf8.count))
    }

    /// The same for a client that may have ended the connection.
    func trySend(_ text: String) { _ = descriptor.send(Array(text.utf8).span) }

    /// The last bytes and their number, until the text, the end, or the timeout.
    func receive(
      until text: String = "<never>", within milliseconds: Int64 = 30_000
    ) -> (text: String, count: Int, hasEnded: Bool) {
      let deadline = Deadline(afterMilliseconds: milliseconds)
      var (last, count) = ("", 0)
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while !last.contains(text) {
        var space = buffer.mutableSpan
        switch descriptor.receive(into: &space) {
        case .moved(let more):
          last = String((last + String(decoding: buffer[..<more], as: UTF8.self)).suffix(1_000))
          count += more
        case .wantsRead, .wantsWrite:
          if !descriptor.waitUntilReady(forWriting: false, until: deadline) {
            return (last, count, false)
          }
        case .ended, .failed: return (last, count, true)
        }
      }
      return (last, count, false)
    }

    /// Whether the other side has ended the connection, now.
    var hasEnded: Bool { receive(within: 0).hasEnded }
  }

  private let partial = "GET /alive HTTP/1.1\r\nHost: loc"

  @Test func `an answer that takes long to make keeps no other one waiting`() throws {
    let gate = Mutex(())
    let listener = try listening { request in
      if request.path == "/slow" { gate.withLock { _ in } }
      return .now(PageAnswer(text: "done " + request.path))
    }
    defer { listener.stop() }
    let slow = try gate.withLock { _ in
      let slow = try Client.get(listener, "/slow")
      let quick = try Client.get(listener, "/quick")
      #expect(quick.receive(until: "done").text.contains("done /quick"))
      return slow
    }
    #expect(slow.receive(until: "done").text.contains("done /slow"))
  }

  @Test func `a slow scraper, a stream and stalled connections delay no probe, nor end for one`()
    throws
  {
    let stream = PageStream(first: Array("event".utf8), limit: 1 << 20, heartbeat: [])
    let listener = try listening { [large] request in
      switch request.path {
      case "/metrics": .now(large)
      case "/events": .stream(PageAnswer(contentType: "text/event-stream", []), stream)
      default: .now(PageAnswer(text: "alive"))
      }
    }
    defer { listener.stop() }
    let start = Clock.monotonicMilliseconds()
    let scraper = try Client.get(listener, "/metrics")
    let reader = try Client.get(listener, "/events")
    #expect(reader.receive(until: "\r\n\r\nevent").text.hasSuffix("event"))
    let stalled = try (0..<61).map { _ in try Client(listener, partial) }
    for _ in 0..<50 {
      let probe = try Client.get(listener, "/livez", "Connection: close\r\n")
      #expect(probe.receive().text.hasSuffix("alive\n"))
    }
    // They are dropped when they have had their time, which must not be over.
    let isEarly = Clock.monotonicMilliseconds() - start < 4_000
    #expect(!isEarly || stalled.allSatisfy { !$0.hasEnded })
    #expect(stream.push(Array(" more".utf8)))
    #expect(reader.receive(until: "more").text.contains("more"))
    #expect(!isEarly || scraper.receive(within: 1_000).count > Self.largeBytes)
  }

  @Test func `for one connection too many, the one goes that was idle longest`() throws {
    let listener = try listening(connections: 3) { _ in .now(PageAnswer(text: "alive")) }
    defer { listener.stop() }
    let busy = try Client(listener, partial)
    var idle: [Client] = []
    for _ in 0..<2 {
      let client = try Client.get(listener, "/livez")
      #expect(client.receive(until: "alive\n").text.hasSuffix("alive\n"))
      idle.append(client)
    }
    // A client may have its answer before the thread that sent it goes on.
    let end = Deadline(afterMilliseconds: 30_000)
    while listener.connections.count(.idle) < 2, !end.isOver { Thread.pause(milliseconds: 1) }
    var kept: [Client] = []
    for (index, client) in idle.enumerated() {
      let next = try Client.get(listener, "/livez")
      #expect(next.receive(until: "alive\n").text.hasSuffix("alive\n"))
      kept.append(next)
      #expect(client.receive().hasEnded)
      #expect(index == 1 || !idle[1].hasEnded)
    }
    #expect(!busy.hasEnded && !kept[0].hasEnded)
    busy.send("alhost\r\n\r\n")
    #expect(busy.receive(until: "alive\n").text.hasSuffix("alive\n"))
  }

  @Test func `a request has its time, in however small pieces it comes`() throws {
    var limits = PageLimits.inspector
    limits.request = 300
    let listener = try listening(limits) { _ in .now(PageAnswer(text: "alive")) }
    defer { listener.stop() }
    for whole in [
      "GET /" + String(repeating: "x", count: 8_000),
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000\r\n\r\n",
    ] {
      let client = try Client(listener, whole)
      let end = Deadline(afterMilliseconds: 30_000)
      // As long as it sends, nothing is missing but the end.
      while !client.hasEnded, !end.isOver {
        client.trySend("x")
        Thread.pause(milliseconds: 10)
      }
      #expect(!end.isOver)
    }
  }

  @Test func `when none is idle, the one goes that has read its request longest`() throws {
    let listener = try listening(connections: 2) { _ in .now(PageAnswer(text: "alive")) }
    defer { listener.stop() }
    let stalled = try (0..<20).map { _ in try Client(listener, partial) }
    let probe = try Client.get(listener, "/livez")
    #expect(probe.receive(until: "alive\n").text.hasSuffix("alive\n"))
    #expect(stalled.dropLast(2).allSatisfy { $0.receive().hasEnded })
  }

  @Test func `a client that does not read has only few answers made for it`() throws {
    let made = Atomic<Int>(0)
    var limits = PageLimits.admin
    limits.write = 500
    let answer = PageAnswer(
      contentType: "text/plain", Array(repeating: UInt8(ascii: "x"), count: 20_000))
    let listener = try listening(limits) { _ in
      made.add(1, ordering: .relaxed)
      return .now(answer)
    }
    defer { listener.stop() }
    let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let client = try Client(listener, String(repeating: request, count: 300))
    let end = Deadline(afterMilliseconds: 30_000)
    while made.load(ordering: .relaxed) == 0 || listener.connections.count > 0, !end.isOver {
      Thread.pause(milliseconds: 1)
    }
    #expect((1...60).contains(made.load(ordering: .relaxed)))
    withExtendedLifetime(client) {}
  }

  @Test func `while all make answers, one more waits until one of them is done`() throws {
    let gate = Mutex(())
    let begun = Atomic<Int>(0)
    let listener = try listening(connections: 2) { request in
      begun.add(1, ordering: .relaxed)
      if request.path == "/slow" { gate.withLock { _ in } }
      return .now(PageAnswer(text: "done"))
    }
    defer { listener.stop() }
    let clients = try gate.withLock { _ in
      let slow = try (0..<2).map { _ in try Client.get(listener, "/slow", "Connection: close\r\n") }
      while begun.load(ordering: .relaxed) < 2 { Thread.pause(milliseconds: 1) }
      let next = try Client.get(listener, "/quick")
      #expect(next.receive(within: 200).count == 0)
      return slow + [next]
    }
    for client in clients { #expect(client.receive(until: "done\n").text.hasSuffix("done\n")) }
  }

  @Test func `a stop ends all connections at once, whatever they are doing`() throws {
    let stream = PageStream(first: Array("event".utf8), limit: 1 << 20, heartbeat: [])
    var limits = PageLimits.admin
    (limits.request, limits.idle, limits.write) = (600_000, 600_000, 600_000)
    (limits.heartbeat, limits.ending) = (600_000, 60_000)
    let listener = try listening(limits) { [large] request in
      switch request.path {
      case "/metrics": .now(large)
      case "/events": .stream(PageAnswer(contentType: "text/event-stream", []), stream)
      default: .now(PageAnswer(text: "alive"))
      }
    }
    var clients = try (0..<16).map { _ in try Client(listener, partial) }
    clients += try (0..<4).map { _ in try Client.get(listener, "/metrics") }
    clients += try (0..<15).map { _ in try Client.get(listener, "/livez") }
    let reader = try Client.get(listener, "/events")
    #expect(reader.receive(until: "\r\n\r\nevent").text.hasSuffix("event"))
    let start = Clock.monotonicMilliseconds()
    listener.stop()
    // Long before any of them has had its time.
    #expect(Clock.monotonicMilliseconds() - start < 20_000)
    #expect(!stream.push([0]))
    for client in clients + [reader] { #expect(client.receive().hasEnded) }
  }

  @Test func `an answer that is being made is not waited for without end`() throws {
    let gate = Mutex(())
    let listener = try listening { _ in
      gate.withLock { _ in }
      return .now(PageAnswer(text: "done"))
    }
    try gate.withLock { _ in
      let client = try Client.get(listener, "/")
      #expect(!client.receive(within: 100).hasEnded)
      listener.stop()
      #expect(client.receive().hasEnded)
    }
  }
}
