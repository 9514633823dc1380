import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// Requests of which two servers in a row could see different ends (RFC 9112 section 11.2): each
/// with a second request after it or within it that nobody has sent.
///
/// Each is refused and its connection ends, or read in the one way that the RFC has; whole, byte by
/// byte, and in two parts split at every place, or every fifth unless there is time for all.
@Suite("trust: request smuggling", .manyAtOnce) struct SmugglingTests {
  /// The answer if it were taken for a request.
  private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: example.com\r\n\r\n"

  /// A POST with these fields and this content.
  private static func post(_ fields: String..., content: String) -> String {
    request("POST", fields: fields) + content
  }

  private static func chunk(_ text: String) -> String {
    String(text.utf8.count, radix: 16) + "\r\n" + text + "\r\n"
  }

  /// One row for each trick: refused with this status.
  static let refused: [(text: String, status: Int, what: String)] = [
    // Content-Length and Transfer-Encoding
    (post("Content-Length: 6", "Transfer-Encoding: chunked", content: "0\r\n\r\nG"), 400, "CL.TE"),
    (
      post(
        "Transfer-Encoding: chunked", "Content-Length: 4", content: chunk(smuggled) + "0\r\n\r\n"),
      400, "TE.CL"
    ),
    (post("Content-Length: 0", "Transfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "0.TE"),
    (post("Content-Length: 5", "Content-Length: 0", content: ""), 400, "CL.CL"),
    (post("Content-Length: 5", "Content-Length: 5", content: "hello"), 400, "the same twice"),
    (post("Content-Length: 0, 44", content: ""), 400, "a list of lengths"),
    (post("Content-Length: 44 0", content: ""), 400, "two numbers"),
    (post("Content-Length: 0\u{B}44", content: ""), 400, "a vertical tab in a length"),
    (post("Content-Length: +0", content: ""), 400, "a plus sign"),
    (post("Content-Length: 0_0", content: ""), 400, "digits as some languages read them"),
    (post("Content-Length: \u{660}", content: ""), 400, "a digit of another script"),
    // Transfer-Encoding that one sees and the other does not
    (post("Transfer-Encoding: xchunked", content: "0\r\n\r\n"), 400, "nearly its name"),
    (post("Transfer-Encoding : chunked", content: "0\r\n\r\n"), 400, "a space before the colon"),
    (post("Transfer-Encoding\t: chunked", content: "0\r\n\r\n"), 400, "a tab before the colon"),
    (post("Transfer-Encoding\u{0}: chunked", content: "0\r\n\r\n"), 400, "NUL in the name"),
    (post("\u{B}Transfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "a vertical tab first"),
    (post(" Transfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "a space first"),
    (post("X: y\r\n Transfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "in a folded line"),
    (post("Transfer-Encoding:\r\n chunked", content: "0\r\n\r\n"), 400, "its value folded"),
    (post("X: y\nTransfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "after a bare LF"),
    (post("X: y\rTransfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "after a bare CR"),
    (post("X: y\r\rTransfer-Encoding: chunked", content: "0\r\n\r\n"), 400, "after two bare CR"),
    (
      post("Transfer-Encoding: \u{B}chunked", content: "0\r\n\r\n"), 400, "a vertical tab before it"
    ),
    (post("Transfer-Encoding: chunked\u{C}", content: "0\r\n\r\n"), 400, "a form feed after it"),
    (post("Transfer-Encoding: \"chunked\"", content: "0\r\n\r\n"), 400, "quoted"),
    (post("Transfer-Encoding: chunked;x", content: "0\r\n\r\n"), 400, "with a parameter"),
    (post("Transfer-Encoding: chunked,", content: "0\r\n\r\n"), 400, "with an empty member"),
    (post("Transfer-Encoding: identity, chunked", content: "0\r\n\r\n"), 501, "after identity"),
    (post("Transfer-Encoding: chunked, identity", content: "0\r\n\r\n"), 400, "before identity"),
    (
      post("Transfer-Encoding: chunked", "Transfer-Encoding: x", content: "0\r\n\r\n"), 400,
      "on two lines"
    ),
    (
      request("POST", version: "HTTP/1.0", fields: ["Transfer-Encoding: chunked"]) + "0\r\n\r\n",
      400, "in HTTP/1.0"
    ),
    // Chunks
    (post("Transfer-Encoding: chunked", content: "0\n\n"), 400, "lines that end with LF"),
    (post("Transfer-Encoding: chunked", content: "0\r\n\n"), 400, "the last line with LF"),
    (
      post("Transfer-Encoding: chunked", content: "1\r\nZ\n0\r\n\r\n"), 400,
      "data that ends with LF"
    ),
    (
      post("Transfer-Encoding: chunked", content: "1\r\nZZ\r\n0\r\n\r\n"), 400,
      "more data than said"
    ),
    (
      post("Transfer-Encoding: chunked", content: "2\r\nZ\r\n0\r\n\r\n"), 400, "less data than said"
    ),
    (
      post("Transfer-Encoding: chunked", content: "1;\nZ\r\n0\r\n\r\n"), 400, "LF ends an extension"
    ),
    (post("Transfer-Encoding: chunked", content: "1;a\rb\r\nZ\r\n0\r\n\r\n"), 400, "CR in one"),
    (
      post("Transfer-Encoding: chunked", content: "1;a=\"\r\nZ\"\r\n0\r\n\r\n"), 400,
      "a line end in quotes"
    ),
    (
      post("Transfer-Encoding: chunked", content: "1 \r\nZ\r\n0\r\n\r\n"), 400,
      "a space after a size"
    ),
    (post("Transfer-Encoding: chunked", content: "1 ;a\r\nZ\r\n0\r\n\r\n"), 400, "and before `;`"),
    (post("Transfer-Encoding: chunked", content: "0x1\r\nZ\r\n0\r\n\r\n"), 400, "a size with 0x"),
    (
      post("Transfer-Encoding: chunked", content: "+1\r\nZ\r\n0\r\n\r\n"), 400, "a size with a sign"
    ),
    (post("Transfer-Encoding: chunked", content: "-1\r\nZ\r\n0\r\n\r\n"), 400, "a negative size"),
    (post("Transfer-Encoding: chunked", content: "\r\n0\r\n\r\n"), 400, "no size"),
    (
      post("Transfer-Encoding: chunked", content: "100000001\r\nZ\r\n0\r\n\r\n"), 413,
      "a size that overflows 32 bits"
    ),
    (
      post("Transfer-Encoding: chunked", content: "10000000000000001\r\nZ\r\n0\r\n\r\n"), 413,
      "a size that overflows 64 bits"
    ),
    (
      post("Transfer-Encoding: chunked", content: "0\r\nX : y\r\n\r\n"), 400,
      "a space in the trailer section"
    ),
    (
      post("Transfer-Encoding: chunked", content: "0\r\nX: y\r\n z\r\n\r\n"), 400,
      "a folded trailer field"
    ),
    // Host
    (request(fields: ["Host: other.example"]), 400, "two hosts"),
    (request(fields: ["hOST: example.com"]), 400, "the same twice, in another case"),
    (request(host: "example.com\u{0}.other.example"), 400, "NUL in the host"),
    (request(host: "example.com:80:90"), 400, "two ports"),
    (request(host: "example.com:" + "99999"), 400, "a port beyond all ports"),
    (request(host: "example.com:8o"), 400, "a port that is not a number"),
    (request(host: "example.com\\@other.example"), 400, "a backslash"),
    (request("GET", "http://example.com@other.example/"), 400, "a user in an absolute target"),
    (request("GET", "http://example.com:x/"), 400, "its port no number"),
    // The request line
    ("GET / HTTP/1.1 HTTP/1.1\r\nHost: a\r\n\r\n", 400, "two versions"),
    ("GET /\u{B}HTTP/1.1\r\nHost: a\r\n\r\n", 400, "a vertical tab for a space"),
    ("GET / HTTP/1.1\u{0}\r\nHost: a\r\n\r\n", 400, "NUL after the version"),
    ("GET /smuggled\r\n", 400, "HTTP/0.9"),
    ("GET\r\n", 400, "a method alone"),
    ("\r\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, "a bare CR before all"),
    ("\n" + smuggled, 400, "a bare LF before all"),
  ]

  /// One row for each request that can be read in one way only: its answers, the last of which is
  /// to the request after it.
  static let read: [(text: String, statuses: [Int], what: String)] = [
    (post("Content-Length: \(smuggled.utf8.count)", content: smuggled), [405], "in a body"),
    (
      post("Transfer-Encoding: chunked", content: chunk(smuggled) + "0\r\n\r\n"), [405],
      "in a chunk"
    ),
    (
      request(fields: ["Content-Length: \(smuggled.utf8.count)"]) + smuggled, [200],
      "a GET with a body"
    ),
    (request("HEAD", fields: ["Content-Length: 3"]) + "abc", [200], "a HEAD with a body"),
    (request("OPTIONS", fields: ["Content-Length: 3"]) + "abc", [204], "OPTIONS with a body"),
    (
      post("Transfer-Encoding: \t chunked\t", content: "0\r\n\r\n"), [405],
      "a tab around the coding"
    ),
    (post("Transfer-Encoding: cHuNkEd", content: "0\r\n\r\n"), [405], "in any case"),
    (post("Content_Length: 5", content: ""), [405], "a low line is not a hyphen"),
    (post("X-Content-Length: 5", content: ""), [405], "another name"),
    (
      post("Connection: Content-Length", "Content-Length: 5", content: "hello"), [405],
      "a length that Connection names"
    ),
    (
      post("Transfer-Encoding: chunked", content: "0\r\nContent-Length: 44\r\n\r\n"), [405],
      "a length in the trailer section"
    ),
    (
      post("Transfer-Encoding: chunked", content: "0;a=\"GET / HTTP/1.1\"\r\n\r\n"), [405],
      "a request in an extension"
    ),
    (
      post("Upgrade: h2c", "Connection: Upgrade", "Content-Length: 0", content: ""), [405],
      "an upgrade that is not taken"
    ),
    (
      post("Expect: 100-continue", "Content-Length: 3", content: "abc"), [405],
      "an expectation that the content has overtaken"
    ),
    (request("GET", "/?\(String(repeating: "%0d%0a", count: 3))X:%20y"), [404], "lines in a query"),
  ]

  private func serving(_ body: (Server) throws -> Void) throws {
    let workspace = try Workspace(serving: ["example.com": association()])
    try withServer(workspace, ["--idle-timeout", "60s"]) { try body($0) }
  }

  private enum Pieces {
    case whole, bytes
    case twoParts(Int)
  }

  /// The statuses of all answers until the end.
  private func ask(_ server: Server, _ text: String, _ pieces: Pieces) throws -> [Int] {
    let client = try RawClient(port: server.http, within: .seconds(30))
    let bytes = Array(text.utf8)
    // The server may close before it has taken all.
    switch pieces {
    case .whole: try? client.send(bytes)
    case .bytes: for byte in bytes where (try? client.send([byte])) == nil { break }
    case .twoParts(let split):
      try? client.send(Array(bytes[..<split]))
      // The others have their turn, the server most of all.
      sched_yield()
      try? client.send(Array(bytes[split...]))
    }
    client.finishSending()
    let methods = text.hasPrefix("HEAD") ? ["HEAD"] : []
    let (received, end) = try client.receiveAll()
    #expect(end == .closed)
    return try Response.all(in: received, methods: methods).map(\.status).filter { $0 != 100 }
  }

  @Test
  func `a refused request ends the connection, and the bytes after it are not a request`() throws {
    try serving { server in
      for row in Self.refused {
        let text = row.text + Self.smuggled
        try #expect(ask(server, text, .whole) == [row.status], "\(row.what)")
        try #expect(ask(server, text, .bytes) == [row.status], "\(row.what), byte by byte")
      }
    }
  }

  @Test func `an accepted request is read in one way, and followed by the next request`() throws {
    try serving { server in
      for row in Self.read {
        let text = row.text + request("GET", "/after") + request()
        let expected = row.statuses + [404, 200]
        try #expect(ask(server, text, .whole) == expected, "\(row.what)")
        try #expect(ask(server, text, .bytes) == expected, "\(row.what), byte by byte")
      }
    }
  }

  @Test func `split at every place, the answers are the same`() throws {
    try serving { server in
      for row in Self.refused {
        let text = row.text + Self.smuggled
        for split in stride(from: 1, to: text.utf8.count, by: isStress ? 1 : 5) {
          let statuses = try ask(server, text, .twoParts(split))
          #expect(statuses == [row.status], "\(row.what), split at \(split)")
          if statuses != [row.status] { break }
        }
      }
      for row in Self.read {
        let text = row.text + request("GET", "/after")
        for split in stride(from: 1, to: text.utf8.count, by: isStress ? 1 : 5) {
          let statuses = try ask(server, text, .twoParts(split))
          #expect(statuses == row.statuses + [404], "\(row.what), split at \(split)")
          if statuses != row.statuses + [404] { break }
        }
      }
    }
  }
}
