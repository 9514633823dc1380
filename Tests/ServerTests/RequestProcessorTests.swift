import Catalog
import HTTP
import Posix
import Settings
import TestRunning
import Testing

@testable import Server

/// A connection without a peer: the event loop's work with bytes, without the loop.
final class Driver {
  var processor: RequestProcessor
  let connection: Connection
  let catalog = TestCatalog.make()
  var isDraining = false
  /// Not yet used.
  var input: [UInt8] = []
  var output: [UInt8] = []
  var ending: Ending?
  var body: PendingBody?
  /// How often the connection's share of a turn was used up.
  var yields = 0

  init(limits: RequestLimits = RequestLimits()) throws {
    processor = RequestProcessor(
      selector: AnswerSelector(fixed: FixedAnswers(retryAfter: 5)), limits: limits)
    guard let descriptor = FileDescriptor.reserve() else {
      throw SystemError("open", "/dev/null", code: 24)
    }
    connection = Connection(descriptor, slot: 0, isSecure: false)
  }

  /// The missing part: nothing, a part of a head, or a part of a body.
  var missing: String { body != nil ? "body" : input.isEmpty ? "nothing" : "head" }

  func feed(_ bytes: some Sequence<UInt8>) {
    // After the end nothing is read.
    if ending != nil { return }
    let buffer = input + bytes
    var progress = RequestProcessor.Progress(body: body)
    while true {
      let action = processor.answerAll(
        buffer.span, &progress, of: connection, catalog: catalog, isDraining: isDraining)
      output += processor.output.gathered.memory[..<processor.output.count]
      output += processor.tail?.body ?? []
      processor.output.removeAll()
      processor.tail = nil
      body = progress.body
      switch action {
      case .send: continue
      case .yield: yields += 1
      case .end(let ending):
        self.ending = ending
        return
      case .needsInput:
        input = Array(buffer[progress.position...])
        return
      }
    }
  }
}

@Suite struct RequestProcessorTests {
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let input: String
    let statuses: [Int]
    let ending: Ending?

    init(
      _ testDescription: String, _ input: String, _ statuses: [Int],
      ending: Ending? = nil
    ) {
      self.testDescription = testDescription
      self.input = input
      self.statuses = statuses
      self.ending = ending
    }
  }

  static let length = "Content-Length: "
  static let chunked = "Transfer-Encoding: chunked"

  static let rows = [
    Row("nothing", "", []),
    Row("one request", request(), [200]),
    Row("a request for a host without a good file", request("broken.test"), [503]),
    Row("an empty line before it", "\r\n" + request(), [200]),
    Row("three in order", request() + request("x.test") + request("broken.test"), [200, 404, 503]),
    Row(
      "close", request("a.test", "Connection: close") + request(), [200], ending: .close),
    Row(
      "HTTP/1.0", "GET /apple-app-site-association HTTP/1.0\r\nHost: a.test\r\n\r\n" + request(),
      [200], ending: .close),
    // content is dropped, and followed by the next request
    Row("content", request("a.test", length + "5") + "GET /" + request(), [200, 200]),
    Row("no content", request("a.test", length + "0") + request(), [200, 200]),
    Row(
      "chunks", request("a.test", chunked) + "5;a=b\r\nGET /\r\n0\r\nX: y\r\n\r\n" + request(),
      [200, 200]),
    Row(
      "content, then close", request("a.test", length + "3", "Connection: close") + "abc",
      [200], ending: .close),
    Row("content that is not all there", request("a.test", length + "5") + "abc", []),
    // bytes after a fault are ignored
    Row("a fault", "GET / HTTP/1.1\r\n\r\n" + request(), [400], ending: .linger),
    Row("a fault after a good one", request() + "\n" + request(), [200, 400], ending: .linger),
    Row(
      "too much content", request("a.test", length + "65537") + request(), [413], ending: .linger),
    Row(
      "a malformed chunk", request("a.test", chunked) + "x\r\n" + request(), [400], ending: .linger),
    Row(
      "a malformed trailer", request("a.test", chunked) + "0\r\nX y\r\n\r\n" + request(), [400],
      ending: .linger),
    Row("TLS", "\u{16}\u{3}\u{1}\u{2}", [400], ending: .linger),
    Row("another version", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", [505], ending: .linger),
    Row("a part of a head", "GET / HTTP/1.1\r\nHost", []),
  ]

  @Test(arguments: rows)
  func `however the bytes are split, the answers are the same`(_ row: Row) throws {
    let bytes = Array(row.input.utf8)
    for split in sample(0...bytes.count, of: 12) {
      let driver = try Driver()
      driver.feed(bytes[..<split])
      driver.feed(bytes[split...])
      let found = responses(in: driver.output)
      #expect(found?.map(\.status) == row.statuses, "split at \(split)")
      #expect(driver.ending == row.ending, "split at \(split)")
    }
    let driver = try Driver()
    for byte in bytes { driver.feed([byte]) }
    #expect(responses(in: driver.output)?.map(\.status) == row.statuses)
    #expect(driver.ending == row.ending)
  }

  @Test func `a part of a head or of a body is waited for`() throws {
    let steps: [(input: String, missing: String)] = [
      (request(), "nothing"),
      ("GET /", "head"),
      (" HTTP/1.1\r\n", "head"),
      ("Host: a.test\r\nContent-Length: 10\r\n\r\n", "body"),
      ("01234", "body"),
      // the end of the content, and of the request with it
      ("56789", "nothing"),
      // the end of one and the beginning of another
      (request("a.test", "Content-Length: 3") + "ab", "body"),
      ("cG", "head"),
    ]
    let driver = try Driver()
    for (input, missing) in steps {
      driver.feed(input.utf8)
      #expect(driver.missing == missing, "\(input)")
    }
  }

  @Test func `100 is sent when the client waits for it, and only then`() throws {
    let expecting = request("a.test", "Content-Length: 3", "Expect: 100-continue")
    let driver = try Driver()
    driver.feed(expecting.utf8)
    #expect(responses(in: driver.output)?.map(\.status) == [100])
    driver.feed("abc".utf8)
    #expect(responses(in: driver.output)?.map(\.status) == [100, 200])
    // It did not wait.
    driver.feed((expecting + "abc").utf8)
    #expect(responses(in: driver.output)?.map(\.status) == [100, 200, 200])
    // Content that is too large is refused at once.
    driver.feed(request("a.test", "Content-Length: 99999", "Expect: 100-continue").utf8)
    #expect(responses(in: driver.output)?.map(\.status) == [100, 200, 200, 413])
  }

  @Test func `while the server stops each answer is the last`() throws {
    let driver = try Driver()
    driver.isDraining = true
    driver.feed((request() + request()).utf8)
    let found = try #require(responses(in: driver.output))
    #expect(found.map(\.status) == [200])
    #expect(found[0].has("Connection: close"))
    #expect(driver.ending == .close)
  }

  @Test func `the Connection field matches what happens`() throws {
    let old = "GET /apple-app-site-association HTTP/1.0\r\nHost: a.test\r\n"
    let rows: [(input: String, field: String?)] = [
      (request(), nil),
      (request("a.test", "Connection: close"), "close"),
      (old + "\r\n", "close"),
      (old + "Connection: keep-alive\r\n\r\n", "keep-alive"),
    ]
    for (input, field) in rows {
      let driver = try Driver()
      driver.feed(input.utf8)
      let found = try #require(responses(in: driver.output)?.first)
      let said = found.fields.filter { $0.hasPrefix("Connection: ") }
      #expect(said == (field.map { ["Connection: " + $0] } ?? []))
    }
  }

  @Test func `large and small answers keep their order`() throws {
    let driver = try Driver()
    let hosts = (0..<30).map { $0 % 3 == 0 ? "large.test" : "a.test" }
    driver.feed(hosts.map { request($0) }.joined().utf8)
    let found = try #require(responses(in: driver.output))
    #expect(
      found.map(\.body) == hosts.map { $0 == "a.test" ? TestCatalog.small : TestCatalog.large })
  }

  @Test func `after its share of a turn a connection lets the others go on`() throws {
    let driver = try Driver()
    driver.feed(String(repeating: request(), count: 100).utf8)
    #expect(responses(in: driver.output)?.count == 100)
    #expect(driver.yields == 3)
  }

  @Test func `HEAD has no body`() throws {
    let driver = try Driver()
    driver.feed((request("large.test", method: "HEAD") + request(method: "HEAD")).utf8)
    let found = try #require(responses(in: driver.output, toHead: true))
    #expect(found.map(\.status) == [200, 200])
    #expect(found[0].has("Content-Length: 131072"))
  }

  /// A HEAD request for each fault that is found after its method (RFC 9110 section 9.3.2).
  static let refusedHeads: [(input: String, status: Int)] = [
    ("HEAD / HTTP/1.1\r\n\r\n", 400),
    ("HEAD / HTTP/2.0\r\nHost: a.test\r\n\r\n", 505),
    (request(method: "HEAD", "Content-Length: 65537"), 413),
    (request(method: "HEAD", "Content-Length: 65537", "Expect: 100-continue"), 413),
    (request(method: "HEAD", chunked) + "FFFFFF\r\n", 413),
    (request(method: "HEAD", chunked) + "x\r\n", 400),
    ("HEAD /" + String(repeating: "x", count: 8_192) + " HTTP/1.1\r\n", 414),
    (request(method: "HEAD", "Expect: x"), 417),
    (request(method: "HEAD", "X: " + String(repeating: "x", count: 16_384)), 431),
    (request(method: "HEAD", "Transfer-Encoding: gzip, chunked"), 501),
    ("\r\n" + request(method: "HEAD", "Expect: x"), 417),
  ]

  @Test(arguments: refusedHeads)
  func `a refused HEAD gets the head of its answer alone`(_ row: (input: String, status: Int))
    throws
  {
    for size in [row.input.utf8.count, 7] {
      let driver = try Driver()
      let bytes = Array(row.input.utf8)
      for start in stride(from: 0, to: bytes.count, by: size) {
        driver.feed(bytes[start..<min(start + size, bytes.count)])
      }
      let found = try #require(responses(in: driver.output, toHead: true))
      #expect(found.map(\.status) == [row.status])
      #expect(found.first?.fields.contains { $0.hasPrefix("Content-Length: ") } == true)
    }
    // Another method's answer says why.
    let driver = try Driver()
    driver.feed(("GET" + row.input.drop { $0.isNewline }.dropFirst(4)).utf8)
    #expect(responses(in: driver.output)?.last?.body.isEmpty == false)
  }

  @Test(arguments: [
    ("HEAD / HTTP/1.1\r\nHost: a.t", true), ("HEAD /", true), ("GET / HTTP/1.1\r\n", false),
    ("HEA", false), ("", false),
  ])
  func `a HEAD that comes too late gets no content`(_ row: (input: String, isHead: Bool)) throws {
    let driver = try Driver()
    driver.connection.input = Array(row.input.utf8)
    driver.connection.state = .head
    driver.processor.refuseLate(driver.connection)
    let output = Array(driver.processor.output.gathered.memory[..<driver.processor.output.count])
    let found = try #require(responses(in: output, toHead: row.isHead))
    #expect(found.map(\.status) == [408])
    #expect(found[0].body.isEmpty == row.isHead)
  }
}
