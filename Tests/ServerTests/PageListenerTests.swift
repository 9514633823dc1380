import HTTP
import Posix
import Testing

@testable import Server

/// Listeners of pages: answers that take long, and those that do not end.
@Suite struct PageListenerTests {
  @Test func `a stream takes as much as its limit, and not one byte more`() {
    let stream = PageStream(first: [1, 2, 3], limit: 10, heartbeat: [])
    #expect(stream.push(Array(repeating: 0, count: 10)))
    #expect(stream.take()?.count == 13)
    #expect(stream.push(Array(repeating: 0, count: 13)))
    #expect(!stream.push([0]))
    #expect(stream.take() == nil)
    #expect(!stream.push([0]))
  }

  @Test func `nothing is pushed to a reader that has gone`() {
    let stream = PageStream(first: [], limit: 10, heartbeat: [])
    stream.end()
    #expect(!stream.push([0]) && stream.take() == nil)
  }

  /// A listener on a port of its own.
  private func listening(
    _ limits: PageLimits = .inspector, _ answer: @escaping @Sendable (PageRequest) -> PageReply
  ) throws -> PageListener {
    let loopback = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
    let listener = try PageListener([loopback], limits: limits)
    try listener.start(named: "test", answer)
    return listener
  }

  /// Sends a request and receives until the text is there, or the connection's end.
  private func ask(
    _ listener: PageListener, _ request: String, until text: String
  ) throws -> String {
    let address = try #require(listener.addresses.first)
    let deadline = Deadline(afterMilliseconds: 45_000)
    let client = try FileDescriptor.connected(to: address, until: deadline)
    #expect(client.send(Array(request.utf8).span) == .moved(request.utf8.count))
    var received = ""
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !received.contains(text), !deadline.isOver {
      _ = client.waitUntilReady(forWriting: false, until: deadline)
      var space = buffer.mutableSpan
      switch client.receive(into: &space) {
      case .moved(let count): received += String(decoding: buffer[..<count], as: UTF8.self)
      case .wantsRead, .wantsWrite: continue
      case .ended, .failed: return received + "<end>"
      }
    }
    return received
  }

  private let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"

  @Test func `a stream that is silent shows that it lives`() throws {
    let stream = PageStream(first: Array("hello".utf8), limit: 100, heartbeat: Array(":\n\n".utf8))
    var limits = PageLimits.inspector
    limits.heartbeat = 20
    let listener = try listening(limits) { _ in
      .stream(PageAnswer(contentType: "text/event-stream", []), stream)
    }
    defer { listener.stop() }
    let text = try ask(listener, request, until: ":\n\n:\n\n:\n\n")
    #expect(text.contains("Connection: close\r\n") && !text.contains("Content-Length"))
    #expect(text.contains("\r\n\r\nhello:\n\n:\n\n"))
    listener.stop()
    #expect(!stream.push([0]), "the reader has gone")
  }

  @Test(arguments: [
    ("HEAD / HTTP/1.1\r\n\r\n", 400),
    ("HEAD /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n", 414),
    (
      "HEAD / HTTP/1.1\r\nHost: localhost\r\nA: \(String(repeating: "a", count: 100_000))\r\n\r\n",
      431
    ),
    ("HEAD / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ("HEAD / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999\r\n\r\n", 413),
    ("HEAD / HTTP/1.1\r\nHost: localhost\r\nExpect: x\r\n\r\n", 417),
    (
      "HEAD / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFF\r\n", 413
    ),
  ])
  func `a HEAD that a page refuses gets the head of its answer alone`(
    _ row: (request: String, status: Int)
  )
    throws
  {
    let listener = try listening { _ in .now(PageAnswer(text: "hello")) }
    defer { listener.stop() }
    let text = try ask(listener, row.request, until: "<end>")
    #expect(text.hasPrefix("HTTP/1.1 \(row.status) "))
    #expect(text.hasSuffix("\r\n\r\n<end>"))
    let said = try ask(listener, "GET" + row.request.dropFirst(4), until: "<end>")
    #expect(said.hasPrefix("HTTP/1.1 \(row.status) ") && !said.hasSuffix("\r\n\r\n<end>"))
  }

  @Test func `a method that is not answered is the fault, not its content`() throws {
    let listener = try listening(.admin) { request in
      .now(PageAnswer(request.method == .get ? .ok : .methodNotAllowed, text: "no"))
    }
    defer { listener.stop() }
    func status(_ method: String) throws -> String {
      let request = "\(method) / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
      return String(try ask(listener, request, until: "<end>").prefix(12))
    }
    #expect(try status("POST") == "HTTP/1.1 405")
    #expect(try status("GET") == "HTTP/1.1 413")
  }

  @Test func `a stream's head alone is answered to HEAD`() throws {
    let stream = PageStream(first: Array("hello".utf8), limit: 100, heartbeat: [])
    let listener = try listening { _ in
      .stream(PageAnswer(contentType: "text/event-stream", []), stream)
    }
    defer { listener.stop() }
    let text = try ask(listener, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", until: "<end>")
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n<end>"))
  }

  @Test func `requests that are sent at once are answered in their order`() throws {
    let listener = try listening { .now(PageAnswer(text: "last " + $0.path)) }
    defer { listener.stop() }
    let all = ["/a", "/b", "/c", "/d"].map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
    let text = try ask(listener, all.joined(), until: "last /d")
    let answers = text.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "\n" } }
    #expect(answers == ["last /a", "last /b", "last /c", "last /d"])
  }

  @Test func `a request and silence have their time`() throws {
    var limits = PageLimits.inspector
    limits.request = 30
    limits.idle = 30
    let listener = try listening(limits) { _ in .now(PageAnswer(text: "yes")) }
    defer { listener.stop() }
    let half = try ask(listener, "GET / HTTP/1.1\r\nHost: loc", until: "<end>")
    #expect(half == "<end>")
    try #expect(ask(listener, request, until: "<end>").hasSuffix("yes\n<end>"))
  }

  @Test func `the time of a request runs from its first byte, not from each`() throws {
    var limits = PageLimits.inspector
    limits.request = 300
    limits.idle = 600_000
    let listener = try listening(limits) { _ in .now(PageAnswer(text: "yes")) }
    defer { listener.stop() }
    let address = try #require(listener.addresses.first)
    let deadline = Deadline(afterMilliseconds: 45_000)
    let client = try FileDescriptor.connected(to: address, until: deadline)
    var byte = [UInt8](repeating: 0, count: 1)
    #expect(client.send(Array("GET / HTTP/1.1\r\nX: ".utf8).span) == .moved(19))
    // A byte now and then, for as long as the listener takes it.
    var hasEnded = false
    while !hasEnded, !deadline.isOver {
      _ = client.send([UInt8(ascii: "x")].span)
      if client.waitUntilReady(forWriting: false, until: Deadline(afterMilliseconds: 20)) {
        var space = byte.mutableSpan
        hasEnded = client.receive(into: &space) == .ended
      }
    }
    #expect(hasEnded)
  }

  @Test func `a field that cannot be sent is left out`() {
    var answer = PageAnswer(text: "x")
    answer.fields = [("X-Good", "1"), ("X-Bad", "1\r\nX-Split: 2"), ("X Bad", "1")]
    let head = String(decoding: answer.head(closes: false, now: 0), as: UTF8.self)
    #expect(head.contains("X-Good: 1\r\n") && !head.contains("Split") && !head.contains("Bad"))
  }

  /// Fields of a request, and one parsed value.
  @Test func `fields are found by their names, whatever their case`() {
    let request = PageRequest(
      path: "/", fields: [("Accept", "a"), ("X-One", " b\t"), ("ACCEPT", "c"), ("Empty", "")])
    #expect(request.field("accept") == "a,c")
    #expect(request.field("empty") == "" && request.field("none") == nil)
  }
}
