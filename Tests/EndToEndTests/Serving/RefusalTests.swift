import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Requests that are refused: each with its status, and the connection closed afterwards.
@Suite("HTTP: refusals", .manyAtOnce) struct RefusalTests {
  private static let path = "/apple-app-site-association"
  private static let start = "GET \(path) HTTP/1.1\r\n"
  private static let host = "Host: example.com\r\n"

  /// A request whose target has exactly this many bytes.
  static func target(ofBytes count: Int) -> String {
    let target = path + "?" + String(repeating: "q", count: count - path.utf8.count - 1)
    return "GET \(target) HTTP/1.1\r\n" + host + "\r\n"
  }

  /// A request with exactly this many field lines.
  static func fields(_ count: Int) -> String {
    start + host + (1..<count).map { "X-\($0): \($0)\r\n" }.joined() + "\r\n"
  }

  /// One row per request: its status, and its purpose.
  static let refused: [(text: String, status: Int, what: String)] = [
    // Host (RFC 9112 section 3.2)
    (start + "\r\n", 400, "no Host"),
    (start + host + host + "\r\n", 400, "Host twice, the same"),
    (start + host + "Host: other.example\r\n\r\n", 400, "Host twice, different"),
    (start + "Host: \r\n\r\n", 400, "an empty Host (RFC 9110 section 4.2.1)"),
    (start + "Host: exa mple.com\r\n\r\n", 400, "a space in Host"),
    (start + "Host: example.com/x\r\n\r\n", 400, "a path in Host"),
    (start + "Host: user@example.com\r\n\r\n", 400, "user information in Host"),
    (start + "Host: example.com:port\r\n\r\n", 400, "a port that is not a number"),
    (start + "Host: example.com, other.example\r\n\r\n", 400, "a list in Host"),
    (start + "Host: [::1\r\n\r\n", 400, "a bracket that is not closed"),
    // Lines (section 2.2)
    ("GET \(path) HTTP/1.1\nHost: example.com\n\n", 400, "bare LF everywhere"),
    (start + "Host: example.com\n\r\n", 400, "bare LF after a field"),
    ("GET \(path) HTTP/1.1\rHost: example.com\r\n\r\n", 400, "bare CR after the request line"),
    (start + "X: a\rb\r\n" + host + "\r\n", 400, "bare CR in a value"),
    (start + "X: a\u{0}b\r\n" + host + "\r\n", 400, "NUL in a value"),
    ("GET \(path)\u{0} HTTP/1.1\r\n" + host + "\r\n", 400, "NUL in the target"),
    (start + "X\u{0}: a\r\n" + host + "\r\n", 400, "NUL in a name"),
    (start + "X: a\u{7F}b\r\n" + host + "\r\n", 400, "DEL in a value"),
    ("\r\n\r\n" + start + host + "\r\n", 400, "two empty lines before the request"),
    // Fields (section 5)
    (start + "Host : example.com\r\n\r\n", 400, "white space before the colon"),
    (start + host + "X\t: a\r\n\r\n", 400, "a tab before the colon"),
    (start + host + "X: a\r\n b\r\n\r\n", 400, "obs-fold with a space"),
    (start + host + "X: a\r\n\tb\r\n\r\n", 400, "obs-fold with a tab"),
    (start + " X: a\r\n" + host + "\r\n", 400, "white space before the first field"),
    (start + host + ": a\r\n\r\n", 400, "no name"),
    (start + host + "no colon\r\n\r\n", 400, "no colon"),
    (start + host + "X(y): a\r\n\r\n", 400, "a name that is not a token"),
    // The request line (section 3)
    ("GET  \(path) HTTP/1.1\r\n" + host + "\r\n", 400, "two spaces"),
    ("GET \(path)  HTTP/1.1\r\n" + host + "\r\n", 400, "two spaces before the version"),
    ("GET\t\(path) HTTP/1.1\r\n" + host + "\r\n", 400, "a tab"),
    ("GET \(path) HTTP/1.1 \r\n" + host + "\r\n", 400, "a space at the end"),
    (" GET \(path) HTTP/1.1\r\n" + host + "\r\n", 400, "a space in front"),
    ("GET \(path)\r\n" + host + "\r\n", 400, "HTTP/0.9"),
    ("GET \(path) HTTP/1\r\n" + host + "\r\n", 400, "no minor version"),
    ("GET \(path) http/1.1\r\n" + host + "\r\n", 400, "the protocol in lower case"),
    ("GET \(path) HTTP/11\r\n" + host + "\r\n", 400, "a version without a dot"),
    ("G(T \(path) HTTP/1.1\r\n" + host + "\r\n", 400, "a method that is not a token"),
    ("GET \(path) HTTP/2.0\r\n" + host + "\r\n", 505, "another major version"),
    ("GET \(path) HTTP/3.1\r\n" + host + "\r\n", 505, "another major version"),
    ("GET \(path) HTTP/0.9\r\n" + host + "\r\n", 505, "an older major version"),
    ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505, "HTTP/2 without negotiation"),
    // Framing (section 6)
    (
      start + host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400, "both"
    ),
    (
      start + host + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 400, "both"
    ),
    (start + host + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", 400, "differing lengths"),
    (start + host + "Content-Length: 1, 2\r\n\r\nxx", 400, "differing lengths in a list"),
    (start + host + "Content-Length: +1\r\n\r\nx", 400, "a sign"),
    (start + host + "Content-Length: -1\r\n\r\n", 400, "a negative length"),
    (start + host + "Content-Length: 0x1\r\n\r\nx", 400, "hexadecimal"),
    (start + host + "Content-Length: 1 1\r\n\r\nx", 400, "a space inside"),
    (start + host + "Content-Length: \r\n\r\n", 400, "an empty length"),
    (start + host + "Content-Length: 1.0\r\n\r\nx", 400, "a fraction"),
    (
      start + host + "Content-Length: 9223372036854775807\r\n\r\n", 413,
      "the largest length that is a number"
    ),
    (
      start + host + "Content-Length: 99999999999999999999999\r\n\r\n", 400,
      "a length beyond all numbers"
    ),
    (start + host + "Transfer-Encoding: gzip\r\n\r\n", 400, "no chunked at all"),
    (start + host + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 501, "another one first"),
    (start + host + "Transfer-Encoding: chunked, gzip\r\n\r\n", 400, "chunked not last"),
    (start + host + "Transfer-Encoding: chunked, chunked\r\n\r\n", 400, "chunked twice"),
    (start + host + "Transfer-Encoding: identity\r\n\r\n", 400, "identity"),
    (start + host + "Transfer-Encoding: xchunked\r\n\r\n", 400, "nearly chunked"),
    (start + host + "Transfer-Encoding: \u{B}chunked\r\n\r\n", 400, "a vertical tab in front"),
    (start + host + "Transfer-Encoding : chunked\r\n\r\n", 400, "a space before the colon"),
    (
      "GET \(path) HTTP/1.0\r\n" + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
      "a transfer coding in HTTP/1.0"
    ),
    (start + host + "Expect: something-else\r\n\r\n", 417, "another expectation"),
    // Chunks (section 7.1)
    (start + host + "Transfer-Encoding: chunked\r\n\r\nx\r\n", 400, "no chunk size"),
    (start + host + "Transfer-Encoding: chunked\r\n\r\n1\nx\r\n0\r\n\r\n", 400, "bare LF"),
    (start + host + "Transfer-Encoding: chunked\r\n\r\n1\r\nxy0\r\n\r\n", 400, "a chunk too long"),
    (start + host + "Transfer-Encoding: chunked\r\n\r\n0x1\r\nx\r\n", 400, "a size with 0x"),
    (start + host + "Transfer-Encoding: chunked\r\n\r\n-1\r\nx\r\n", 400, "a negative size"),
    // Limits, one past each
    (request(ofBytes: 16_385), 431, "a head one past 16 KiB"),
    (start + host + "X: " + String(repeating: "x", count: 100_000), 431, "a head without end"),
    (target(ofBytes: 8_193), 414, "a target one past 8 KiB"),
    ("GET /" + String(repeating: "x", count: 100_000), 414, "a target without end"),
    (fields(101), 431, "one field more than 100"),
    (String(repeating: "X", count: 100_000), 501, "a method without end"),
    (start + host + "Content-Length: 65537\r\n\r\n", 413, "a body one past 64 KiB"),
    (start + host + "Content-Length: 9223372036854775807\r\n\r\n", 413, "a huge body"),
    (
      start + host + "Transfer-Encoding: chunked\r\n\r\n10001\r\n", 413,
      "a chunk one past 64 KiB"
    ),
    (
      start + host + "Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\n", 413,
      "a huge chunk"
    ),
  ]

  private func serving(_ flags: [String] = [], _ body: (Server) throws -> Void) throws {
    let workspace = try Workspace(serving: ["example.com": association("A")])
    try withServer(workspace, flags) { try body($0) }
  }

  /// Behind each faulty request comes a good one: it must never be answered.
  @Test func `each is answered with its status, once, and closes the connection`() throws {
    try serving { server in
      for row in Self.refused {
        let client = try RawClient(port: server.http)
        // The server may close before it has taken all.
        try? client.send(row.text + request("GET", Self.path, fields: ["X-Smuggled: yes"]))
        client.finishSending()
        let (bytes, end) = try client.receiveAll()
        let responses = try Response.all(in: bytes)
        #expect(responses.map(\.status) == [row.status], "\(row.what)")
        #expect(responses.first?["Connection"] == "close", "\(row.what)")
        #expect(responses.first?["Content-Type"] == "text/plain; charset=utf-8")
        // Not reset: the client would lose the answer (RFC 9112 section 9.6).
        #expect(end == .closed, "\(row.what)")
      }
    }
  }

  @Test func `each is refused the same way when it comes byte by byte`() throws {
    try serving { server in
      for row in Self.refused where row.text.utf8.count < 300 {
        let client = try RawClient(port: server.http)
        for byte in row.text.utf8 {
          // Fails once the server has refused the bytes so far.
          guard (try? client.send([byte])) != nil else { break }
        }
        client.finishSending()
        let responses = try Response.all(in: try client.receiveAll().bytes)
        #expect(responses.map(\.status) == [row.status], "\(row.what)")
      }
    }
  }

  @Test(arguments: [
    (start + host + "X: ", 431), ("GET /", 414), ("", 501),
  ])
  func `a line without end is refused when it comes in pieces, and not kept`(
    _ row: (start: String, status: Int)
  ) throws {
    // Otherwise the time limit would answer.
    try serving(["--head-timeout", "600s"]) { server in
      let client = try RawClient(port: server.http)
      try client.send(row.start)
      // As soon as the server has refused it, no piece can be sent any more.
      for _ in 0..<50 {
        guard (try? client.send(String(repeating: "x", count: 1_000))) != nil else { break }
        if try client.isQuiet(for: .milliseconds(2)) == false { break }
      }
      try #expect(client.receive().status == row.status)
    }
  }

  /// One row per request at a limit or at the border of the grammar.
  static let accepted: [(text: String, what: String)] = [
    (request(ofBytes: 16_384), "a head of 16 KiB"),
    (target(ofBytes: 8_192), "a target of 8 KiB"),
    (fields(100), "100 fields"),
    ("\r\n" + start + host + "\r\n", "an empty line in front"),
    (start + "host:example.com\r\n\r\n", "no space after the colon, a name in lower case"),
    (start + "Host: \t example.com \t \r\n\r\n", "white space around a value"),
    (start + host + "X:\r\n\r\n", "an empty value"),
    (start + host + "X: \u{e4}\u{ff}\r\n\r\n", "obs-text in a value"),
    (start + host + "!#$%&'*+-.^_`|~0Aa: x\r\n\r\n", "every kind of character in a name"),
    ("GET \(path) HTTP/1.9\r\n" + host + "\r\n", "a later minor version"),
    ("GET \(path)?a[]=1&b={|}^`\"<>\\ HTTP/1.1\r\n" + host + "\r\n", "a query of a browser's"),
    ("GET \(path)?caf\u{e9}=100% HTTP/1.1\r\n" + host + "\r\n", "more of one"),
    (start + host + "Content-Length: 0\r\n\r\n", "an empty body"),
    (start + host + "Content-Length: 00003\r\n\r\nabc", "a length with zeros in front"),
    (start + host + "Transfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n", "the coding in capitals"),
    (
      start + host + "Transfer-Encoding: chunked\r\n\r\n3;x=\"y\"\r\nabc\r\n0\r\nT: t\r\n\r\n",
      "extensions and a trailer"
    ),
    (
      start + host + "Content-Length: 65536\r\n\r\n" + String(repeating: "x", count: 65_536),
      "a body of 64 KiB"
    ),
    (
      start + host + "Transfer-Encoding: chunked\r\n\r\n10000\r\n"
        + String(repeating: "x", count: 65_536) + "\r\n0\r\n\r\n", "a chunk of 64 KiB"
    ),
  ]

  @Test func `a request at a limit is served, and the connection stays open`() throws {
    try serving { server in
      for row in Self.accepted {
        let client = try RawClient(port: server.http)
        try client.send(row.text)
        let first = try client.receive()
        #expect(first.status == 200, "\(row.what)")
        try client.send(request("GET", Self.path))
        try #expect(client.receive().status == 200, "\(row.what)")
      }
    }
  }

  @Test func `limits are configurable`() throws {
    let flags = [
      "--head-bytes", "2048", "--target-bytes", "512", "--field-lines", "10", "--body-bytes", "100",
    ]
    try serving(flags) { server in
      func status(_ text: String) throws -> Int {
        let client = try RawClient(port: server.http)
        try client.send(text)
        return try client.receive().status
      }
      try #expect(status(request(ofBytes: 2048)) == 200)
      try #expect(status(request(ofBytes: 2049)) == 431)
      try #expect(status(Self.target(ofBytes: 512)) == 200)
      try #expect(status(Self.target(ofBytes: 513)) == 414)
      try #expect(status(Self.fields(10)) == 200)
      try #expect(status(Self.fields(11)) == 431)
      let body = { (count: Int) in
        Self.start + Self.host + "Content-Length: \(count)\r\n\r\n"
          + String(repeating: "x", count: count)
      }
      try #expect(status(body(100)) == 200)
      try #expect(status(body(101)) == 413)
    }
  }
}
