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

  @Test func `nothing is pushed to who has gone`() {
    let stream = PageStream(first: [], limit: 10, heartbeat: [])
    stream.end()
    #expect(!stream.push([0]) && stream.take() == nil)
  }

  /// Runs a listener while `body` asks it.
  private func withListener<Result>(
    limits change: (inout PageLimits) -> Void = { _ in },
    answer: @escaping @Sendable (PageRequest) -> PageReply,
    _ body: (SocketAddress) throws -> Result
  ) throws -> Result {
    var limits = PageLimits.inspector
    change(&limits)
    let loopback = try #require(SocketAddress(literal: "127.0.0.1", port: 0))
    let listener = try PageListener([loopback], limits: limits)
    try listener.start(named: "test", answer)
    defer { listener.stop() }
    return try body(try #require(listener.addresses.first))
  }

  /// Sends a request and receives until the text is there, or the connection's end.
  private func ask(
    _ address: SocketAddress, _ request: String, until text: String
  ) throws -> String {
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
    let text = try withListener(
      limits: { $0.heartbeat = 20 },
      answer: { _ in
        .stream(PageAnswer(contentType: "text/event-stream", []), stream)
      }
    ) { address in
      try ask(address, request, until: ":\n\n:\n\n:\n\n")
    }
    #expect(text.contains("Connection: close\r\n") && !text.contains("Content-Length"))
    #expect(text.contains("\r\n\r\nhello:\n\n:\n\n"))
    #expect(!stream.push([0]), "the listener has ended")
  }

  @Test func `a stream's head alone is answered to HEAD`() throws {
    let stream = PageStream(first: Array("hello".utf8), limit: 100, heartbeat: [])
    let text = try withListener(answer: { _ in
      .stream(PageAnswer(contentType: "text/event-stream", []), stream)
    }) { address in
      try ask(address, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", until: "<end>")
    }
    #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\n<end>"))
  }

  @Test func `requests that follow one whose answer takes long are answered after it`() throws {
    let text = try withListener(answer: { request in
      request.path == "/slow"
        ? .later { PageAnswer(text: "slow") } : .now(PageAnswer(text: "last " + request.path))
    }) { address in
      let both = ["/slow", "/b", "/slow", "/d"].map {
        "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n"
      }
      return try ask(address, both.joined(), until: "last /d")
    }
    let answers = text.split(separator: "\r\n\r\n").dropFirst().map { $0.prefix { $0 != "\n" } }
    #expect(answers == ["slow", "last /b", "slow", "last /d"])
  }

  @Test func `a request, an answer and silence have their time`() throws {
    let text = try withListener(
      limits: { $0.request = 30 },
      answer: { _ in
        .now(PageAnswer(text: "yes"))
      }
    ) { address in
      try ask(address, "GET / HTTP/1.1\r\nHost: loc", until: "<end>")
    }
    #expect(text == "<end>")
    let idle = try withListener(
      limits: { $0.idle = 30 },
      answer: { _ in
        .now(PageAnswer(text: "yes"))
      }
    ) { address in
      try ask(address, request, until: "<end>")
    }
    #expect(idle.hasSuffix("yes\n<end>"))
  }

  @Test func `a field that cannot be sent is left out`() {
    var answer = PageAnswer(text: "x")
    answer.fields = [("X-Good", "1"), ("X-Bad", "1\r\nX-Split: 2"), ("X Bad", "1")]
    let head = String(decoding: answer.head(closes: false, now: 0), as: UTF8.self)
    #expect(head.contains("X-Good: 1\r\n") && !head.contains("Split") && !head.contains("Bad"))
  }

  /// Fields of a request, and what is read of one.
  @Test func `fields are found by their names, whatever their case`() {
    let request = PageRequest(
      path: "/", fields: [("Accept", "a"), ("X-One", " b\t"), ("ACCEPT", "c"), ("Empty", "")])
    #expect(request.field("accept") == "a,c")
    #expect(request.field("empty") == "" && request.field("none") == nil)
  }
}
