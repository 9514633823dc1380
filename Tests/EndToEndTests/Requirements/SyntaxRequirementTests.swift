import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The requirements of RFC 9112 for an origin server: each MUST and MUST NOT about receiving and
/// about answers on a connection, by section.
///
/// Other malformed requests, at the limits and byte by byte, are in `RefusalTests`, smuggling in
/// `SmugglingTests`, persistence of connections in `ConnectionTests`; grammar without a socket is
/// in HTTPTests.
@Suite("RFC 9112: requirements", .manyAtOnce) struct SyntaxRequirementTests {
  private static let path = associationPaths[0]
  private static func get(_ fields: String...) -> String { request("GET", fields: fields) }

  static let rows: [Requirement] = [
    // 2 Message
    .init("9112 2.2", "a message is parsed as octets, not as text", get("X: \u{E4}\u{FF}"), 200),
    .init(
      "9112 2.2", "a line ends with CRLF; a bare LF is not an end here",
      "GET \(path) HTTP/1.1\nHost: example.com\n\n", 400, staysOpen: false),
    .init(
      "9112 2.2", "a bare CR makes its element invalid", get("X: a\rb"), 400, staysOpen: false),
    .init(
      "9112 2.2", "a bare CR in the request line, too",
      "GET \(path)\rx HTTP/1.1\r\nHost: example.com\r\n\r\n", 400, staysOpen: false),
    .init("9112 2.2", "an empty line before the request line is ignored", "\r\n" + get(), 200),
    .init(
      "9112 2.2", "white space between request line and first field: refused",
      "GET \(path) HTTP/1.1\r\n X: a\r\nHost: example.com\r\n\r\n", 400, staysOpen: false),
    .init(
      "9112 2.2", "anything but an HTTP message: 400 and the end", "hello\r\n\r\n", 400,
      staysOpen: false),
    .init(
      "9112 2.3", "HTTP-version has a case",
      "GET \(path) Http/1.1\r\nHost: example.com\r\n\r\n", 400, staysOpen: false),
    .init(
      "9112 2.3", "a later minor version is read as 1.1",
      request("GET", version: "HTTP/1.2"), 200),

    // 3 Request line
    .init(
      "9112 3", "an invalid request line: 400", "GET  \(path) HTTP/1.1\r\nHost: a\r\n\r\n", 400,
      staysOpen: false),
    .init(
      "9112 3", "a method longer than any known: 501",
      request(String(repeating: "M", count: 33)), 501, staysOpen: false),
    .init(
      "9112 3", "a target longer than any that is read: 414",
      request("GET", "/" + String(repeating: "x", count: 9000)), 414, staysOpen: false),
    .init(
      "9112 3", "a target of 8,000 octets is read",
      request("GET", path + "?" + String(repeating: "x", count: 8000 - path.count - 1)), 200),
    .init("9112 3.2", "without Host: 400", request(host: nil), 400, staysOpen: false),
    .init(
      "9112 3.2", "with two Host fields: 400", get("Host: example.com"), 400, staysOpen: false),
    .init(
      "9112 3.2", "with an invalid Host: 400", request(host: "exa mple.com"), 400,
      staysOpen: false),
    .init(
      "9112 3.2", "HTTP/1.0 with two Host fields: 400",
      request("GET", version: "HTTP/1.0", fields: ["Host: example.com"]), 400, staysOpen: false),
    .init(
      "9112 3.2", "HTTP/1.0 with an invalid Host: 400",
      request("GET", host: "a/b", version: "HTTP/1.0"), 400, staysOpen: false),
    .init("9112 3.2.1", "the origin form is served", get(), 200),
    .init(
      "9112 3.2.2", "the absolute form is served",
      request("GET", "http://example.com\(path)"), 200),
    .init(
      "9112 3.2.2", "of the absolute form the host counts, not Host",
      request("GET", "http://example.com\(path)", host: "other.example"), 200),
    .init(
      "9112 3.2.2", "and the other way round",
      request("GET", "http://other.example\(path)", host: "example.com"), 404),
    .init(
      "9112 3.2.2", "the absolute form without Host is a request without Host",
      request("GET", "http://example.com\(path)", host: nil), 400, staysOpen: false),
    .init(
      "9112 3.2.3", "the authority form is for CONNECT alone",
      request("GET", "example.com:443"), 400, staysOpen: false),
    .init(
      "9112 3.2.4", "the asterisk form is for OPTIONS alone", request("GET", "*"), 400,
      staysOpen: false),
    .init("9112 3.2.4", "and asks for the server as a whole", request("OPTIONS", "*"), 204),

    // 5 Fields
    .init(
      "9112 5.1", "white space between name and colon: 400", get("X : a"), 400, staysOpen: false),
    .init("9112 5.1", "a tab, too", get("X\t: a"), 400, staysOpen: false),
    .init(
      "9112 5.1", "white space around a value is not a part of it",
      get("If-None-Match: \t TAG \t "), 304),
    .init("9112 5.2", "obs-fold: 400", get("X: a\r\n b"), 400, staysOpen: false),

    // 6 Message body
    .init(
      "9112 6.1", "the chunked coding is read",
      request("GET", fields: ["Transfer-Encoding: chunked"]) + "3\r\nabc\r\n0\r\n\r\n", 200),
    .init(
      "9112 6.1", "a coding that is not understood: 501",
      request("GET", fields: ["Transfer-Encoding: gzip, chunked"]) + "0\r\n\r\n", 501,
      staysOpen: false),
    .init(
      "9112 6.1", "HTTP/1.0 with Transfer-Encoding is framed wrongly: the connection ends",
      request(
        "GET", version: "HTTP/1.0",
        fields: ["Transfer-Encoding: chunked", "Connection: keep-alive"]) + "0\r\n\r\n", 400,
      staysOpen: false),
    .init(
      "9112 6.1", "the same with Content-Length beside it",
      request(
        "GET", version: "HTTP/1.0", fields: ["Transfer-Encoding: chunked", "Content-Length: 5"])
        + "0\r\n\r\n", 400, staysOpen: false),
    .init(
      "9112 6.1", "Content-Length with Transfer-Encoding: the connection ends",
      get("Content-Length: 5", "Transfer-Encoding: chunked") + "0\r\n\r\n", 400,
      staysOpen: false),
    .init(
      "9112 6.3", "Transfer-Encoding without chunked at its end: 400, and the end",
      get("Transfer-Encoding: chunked, gzip") + "0\r\n\r\n", 400, staysOpen: false),
    .init(
      "9112 6.3", "an invalid Content-Length: 400, and the end", get("Content-Length: x"), 400,
      staysOpen: false),
    .init(
      "9112 6.3", "an empty one", get("Content-Length:"), 400, staysOpen: false),
    .init(
      "9112 6.3", "without either there is no body", request("POST"), 405,
      holds: { $0["Allow"] == "GET, HEAD, OPTIONS" }),
    .init(
      "9112 6.3", "a body of a known length is read to its end",
      request("POST", fields: ["Content-Length: 4"]) + "GET ", 405),

    // 7 Transfer codings
    .init(
      "9112 7.1", "a chunk size that overflows is not a small one",
      get("Transfer-Encoding: chunked") + "10000000000000003\r\nabc\r\n0\r\n\r\n", 413,
      staysOpen: false),
    .init(
      "9112 7.1.1", "unknown chunk extensions are ignored",
      get("Transfer-Encoding: chunked") + "3;a=b;c=\"d\"\r\nabc\r\n0;e\r\n\r\n", 200),
    .init(
      "9112 7.1.2", "a trailer section is read, and its fields change nothing",
      get("Transfer-Encoding: chunked") + "0\r\nConnection: close\r\nHost: x\r\n\r\n", 200),

    // 9 Connections
    .init(
      "9112 9.3", "the whole body is read before the next request, or the connection ends",
      request("GET", "/nowhere", fields: ["Content-Length: 10"]) + "GET / HTTP", 404),
    .init(
      "9112 9.3", "HTTP/1.0 ends unless it asks to go on",
      request("GET", version: "HTTP/1.0"), 200, staysOpen: false),
    .init(
      "9112 9.3", "HTTP/1.0 continues on request",
      request("GET", version: "HTTP/1.0", fields: ["Connection: keep-alive"]), 200,
      holds: { $0["Connection"] == "keep-alive" }),
    .init(
      "9112 9.3.2", "pipelined requests are answered in their order",
      get() + request("HEAD") + request("GET", "/x") + request("OPTIONS"), 200, 200, 404, 204),
    .init(
      "9112 9.6", "after close the server closes, and processes nothing more",
      get("Connection: close"), 200, staysOpen: false),
    .init(
      "9112 9.6", "close among other options, in any case",
      get("Connection: x, CLOSE ,y"), 200, staysOpen: false),
  ]

  @Test func `each is met, and followed by a request or by the end`() throws {
    try withRepresentation { server, representation in
      for row in Self.rows { try row.check(server, representation) }
    }
  }
}

/// Serves a file and hands over the answer with it. Files are compressed in the background, right
/// after the start: it waits for that.
func withRepresentation(_ body: (Server, Response) throws -> Void) throws {
  let workspace = try Workspace(serving: ["example.com": SelectionTests.large])
  try workspace.setModified("domains/example.com.json", 784_111_777)
  try withServer(workspace) { server in
    server.allowRuleWarnings()
    try #require(
      eventually {
        try server.get(associationPaths[0], ["Accept-Encoding: gzip"])["Content-Encoding"] == "gzip"
      })
    try body(server, try server.get())
  }
}
