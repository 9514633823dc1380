import HTTP
import Testing

@Suite struct RefusedHeadTests {
  static let rows: [(text: String, host: String?, what: String)] = [
    ("GET /{ HTTP/1.1\r\nHost: a.test\r\n\r\n", "a.test", "after a faulty target"),
    ("GET /{ HTTP/1.1\r\nX : y\r\nhOsT:\t A.Test.:80 \r\n", "A.Test", "after a faulty line"),
    ("GET /{ HTTP/1.1\nHost: a.test\n\n", "a.test", "with bare line feeds"),
    ("\r\n\r\nGET / HTTP/1.1\r\nHost: a.test\r\n\r\n", nil, "after two empty lines"),
    ("\r\nGET /{ HTTP/1.1\r\nHost: a.test\r\n\r\n", "a.test", "after one empty line"),
    ("GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n", nil, "two of them"),
    ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", nil, "a malformed one"),
    ("GET / HTTP/1.1\r\nHost: a\u{1B}[2J\r\n\r\n", nil, "one with an escape sequence"),
    ("GET / HTTP/1.1\r\nHost: a.te", nil, "a part of one"),
    ("GET / HTTP/1.1\r\n\r\nHost: a.test\r\n", nil, "after the head"),
    ("GET / HTTP/1.1\r\nX-Host: a.test\r\n\r\n", nil, "another field"),
    ("GET / HTTP/1.1\r\nHost:\r\n\r\n", nil, "an empty one"),
    ("Host: a.test\r\n\r\n", "a.test", "no request line"),
    ("", nil, "nothing"), ("\u{16}\u{3}\u{1}", nil, "garbage"),
  ]

  @Test(arguments: rows)
  func `the host of a refused head is found if it names one`(
    _ row: (text: String, host: String?, what: String)
  ) {
    let bytes = Array(row.text.utf8)
    let found = hostOfRefused(bytes.span, from: 0, limits: RequestLimits())
    #expect(found.map { text(bytes, $0) } == row.host, "\(row.what)")
    // Its place does not matter.
    let later = Array("xyz\r\nHost: z.test\r\n".utf8) + bytes
    let start = later.count - bytes.count
    let again = hostOfRefused(later.span, from: start, limits: RequestLimits())
    #expect(again.map { text(later, $0) } == row.host, "\(row.what), later")
  }

  @Test func `bytes beyond the limit of a head are not read`() {
    let line = "GET /{ HTTP/1.1\r\n"
    let field = "Host: a.test\r\n"
    let limits = RequestLimits()
    for excess in [0, 1] {
      let padding = limits.headBytes - line.utf8.count - field.utf8.count - 5 + excess
      let bytes = Array(
        (line + "X: " + String(repeating: "x", count: padding) + "\r\n" + field).utf8)
      let found = hostOfRefused(bytes.span, from: 0, limits: limits)
      #expect((found != nil) == (excess == 0))
    }
  }
}
