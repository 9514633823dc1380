import HTTP
import Testing

@Suite struct RequestLineTests {
  @Test func `the method is recognised in its exact case`() {
    let rows: [(String, Method)] = [
      ("GET", .get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete),
      ("OPTIONS", .options), ("TRACE", .trace), ("PATCH", .patch),
      // RFC 9110 section 9.1: case-sensitive
      ("get", .unknown), ("Head", .unknown),
      // any token is a method (RFC 9110 section 5.6.2)
      ("G", .unknown), ("GETT", .unknown), ("M-SEARCH", .unknown), ("!#$%&'*+-.^_`|~", .unknown),
      (String(repeating: "A", count: 32), .unknown),
    ]
    for (name, method) in rows {
      let result = outcome("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(result?.reading?.method == method, "\(name)")
    }
  }

  @Test func `a target is taken apart`() {
    typealias Row = (String, RequestTarget.Form, path: String, query: String?)
    let rows: [Row] = [
      // origin-form (RFC 9112 section 3.2.1)
      ("/", .origin, "/", nil),
      ("/a/b-c.d_~", .origin, "/a/b-c.d_~", nil),
      ("//a", .origin, "//a", nil),
      ("/..//.", .origin, "/..//.", nil),
      ("/?", .origin, "/", ""),
      ("/a?b=c?d/e", .origin, "/a", "b=c?d/e"),
      ("/%41%zz".replacing("%zz", with: "%fF"), .origin, "/%41%fF", nil),
      ("/!$&'()*+,;=:@", .origin, "/!$&'()*+,;=:@", nil),
      // a query is not parsed: characters that browsers send unencoded
      ("/a?b[]=1&c={|}^`\"<>\\", .origin, "/a", "b[]=1&c={|}^`\"<>\\"),
      ("/a?é", .origin, "/a", "é"),
      ("/a?100%&%4&%zz", .origin, "/a", "100%&%4&%zz"),
      ("http://a?{}", .absolute(.http), "", "{}"),
      // absolute-form (section 3.2.2), the scheme in any case (RFC 3986 section 3.1)
      ("http://a", .absolute(.http), "", nil),
      ("hTTp://a/", .absolute(.http), "/", nil),
      ("HTTPS://a:1/b?c", .absolute(.https), "/b", "c"),
      ("http://a?b", .absolute(.http), "", "b"),
      ("http://[::1]:80/x", .absolute(.http), "/x", nil),
    ]
    for (target, form, path, query) in rows {
      let result = outcome("GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")?.reading
      #expect(result?.form == form, "\(target)")
      #expect(result?.path == path, "\(target)")
      #expect(result?.query == query, "\(target)")
    }
  }

  @Test func `the forms of other methods are taken`() {
    // asterisk-form (section 3.2.4)
    let options = outcome("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n")?.reading
    #expect(options?.form == .asterisk)
    // authority-form (section 3.2.3)
    let connect = outcome("CONNECT b.example:443 HTTP/1.1\r\nHost: a\r\n\r\n")?.reading
    #expect(connect?.form == .authority)
    #expect(connect?.host == "b.example")
    #expect(connect?.port == 443)
  }

  static let refusedTargets: [(String, String)] = [
    ("GET", ""), ("GET", "a"), ("GET", "*"), ("GET", "?a"), ("GET", "a.example:80"),
    ("POST", "*"), ("OPTIONS", "**"), ("OPTIONS", "*/"),
    // no fragment, no raw bytes outside the grammar (RFC 3986 section 3)
    ("GET", "/#a"), ("GET", "/a#"), ("GET", "/?a#b"), ("GET", "/\\"), ("GET", "/\""),
    ("GET", "/<"), ("GET", "/>"), ("GET", "/^"), ("GET", "/`"), ("GET", "/{"), ("GET", "/|"),
    ("GET", "/}"), ("GET", "/["), ("GET", "/é"), ("GET", "/|?a"), ("GET", "/é?a"),
    ("GET", "/?a b"),
    // percent-encoding (section 2.1)
    ("GET", "/%"), ("GET", "/%4"), ("GET", "/%4g"), ("GET", "/%g4"), ("GET", "/%?a"),
    ("GET", "/%%41"), ("GET", "/% 41"),
    // absolute-form: our schemes, an authority, no user (RFC 9110 section 4.2)
    ("GET", "ftp://a/"), ("GET", "http:/a"), ("GET", "http:a"), ("GET", "http://"),
    ("GET", "http:///a"), ("GET", "http://:80/"), ("GET", "http://u@a/"),
    ("GET", "http://u:p@a/"), ("GET", "http://a:b/"), ("GET", "http://a:65536/"),
    ("GET", "http://a/%"), ("GET", "http://a/#f"), ("GET", "http://a#f"), ("GET", "http://a\\b"),
    ("GET", "httpss://a/"), ("GET", "http//a/"), ("GET", "xhttp://a/"),
    // CONNECT takes host and port only, the port not empty (RFC 9110 section 9.3.6)
    ("CONNECT", "/"), ("CONNECT", "a"), ("CONNECT", "a:"), ("CONNECT", "a:0x1"), ("CONNECT", ":1"),
    ("CONNECT", "http://a:1/"), ("CONNECT", "*"), ("CONNECT", "a:1/"), ("CONNECT", "u@a:1"),
  ]

  @Test func `a target outside the grammar is refused`() {
    for (method, target) in Self.refusedTargets {
      let result = outcome("\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
      let fault = result?.fault
      #expect(fault?.status == .badRequest, "\(method) \(target)")
    }
  }

  @Test func `the version decides`() {
    let rows: [(String, RequestFault?)] = [
      ("HTTP/1.1", nil), ("HTTP/1.0", nil),
      // a higher minor version is answered as 1.1 (RFC 9110 section 2.5)
      ("HTTP/1.2", nil), ("HTTP/1.9", nil),
      ("HTTP/2.0", .unsupportedVersion), ("HTTP/3.0", .unsupportedVersion),
      ("HTTP/0.9", .unsupportedVersion), ("HTTP/9.9", .unsupportedVersion),
      // section 2.3: one digit, a dot, one digit, in capitals
      ("HTTP/1.10", .malformedVersion), ("HTTP/11.1", .malformedVersion),
      ("HTTP/1", .malformedVersion), ("HTTP/1.", .malformedVersion), ("HTTP/.1", .malformedVersion),
      ("HTTP/2", .malformedVersion), ("http/1.1", .malformedVersion),
      ("Http/1.1", .malformedVersion), ("HTTP 1.1", .malformedVersion),
      ("HTTP/1,1", .malformedVersion), ("HTTP/a.1", .malformedVersion),
      ("HTTP/-1.1", .malformedVersion), ("HTTPS/1.1", .malformedVersion),
      ("XTTP/1.1", .malformedVersion), ("", .malformedVersion),
      ("HTTP/1.1 ", .malformedVersion), ("HTTP/1.1\t", .malformedVersion),
      ("HTTP/1.1 x", .malformedVersion), (" HTTP/1.1", .malformedVersion),
      ("HTTP/2.0 ", .malformedVersion), ("\tHTTP/1.1", .malformedVersion),
      ("HTTP/1.1é", .malformedVersion),
    ]
    for (version, fault) in rows {
      let result = outcome("GET / \(version)\r\nHost: a\r\n\r\n")
      #expect(result?.fault == fault, "\(version)")
      #expect((result?.reading == nil) == (fault != nil), "\(version)")
    }
    // the preface of HTTP/2 (RFC 9113 section 3.4)
    let preface = outcome("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    #expect(preface?.fault == .unsupportedVersion)
  }

  static let refusedLines: [Refusal] = [
    Refusal("GET /\r\n", .malformedVersion, "HTTP/0.9 has no version and is not waited for"),
    Refusal("GET\r\n", .malformedMethod, "no target"),
    Refusal("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", .malformedTarget, "two spaces"),
    Refusal("GET\t/ HTTP/1.1\r\n", .malformedMethod, "a tab for a space"),
    Refusal("GET /\tHTTP/1.1\r\n", .controlCharacter, "a tab for the second space"),
    Refusal(" GET / HTTP/1.1\r\n", .malformedMethod, "a space first"),
    Refusal("G\u{0}T / HTTP/1.1\r\n", .malformedMethod, "NUL in the method"),
    Refusal("GE(T / HTTP/1.1\r\n", .malformedMethod, "a method that is not a token"),
    Refusal("GET /\u{0} HTTP/1.1\r\n", .controlCharacter, "NUL in the target"),
    Refusal("GET /\u{7F} HTTP/1.1\r\n", .controlCharacter, "DEL in the target"),
    Refusal("GET /?\u{0} HTTP/1.1\r\n", .controlCharacter, "NUL in a query"),
    Refusal("GET /?\u{1B} HTTP/1.1\r\n", .controlCharacter, "ESC in a query"),
    Refusal("GET /?\u{7F} HTTP/1.1\r\n", .controlCharacter, "DEL in a query"),
    Refusal("GET /?\t HTTP/1.1\r\n", .controlCharacter, "a tab in a query"),
    Refusal("GET / HTTP/1.1\n", .lineFeedWithoutCarriageReturn, "a bare LF ends the line"),
    Refusal("GET /\n", .lineFeedWithoutCarriageReturn, "a bare LF after the target"),
    Refusal("GET / HTTP/1.1\rH", .carriageReturnWithoutLineFeed, "a bare CR"),
    Refusal("GET / HTTP/1.1\r\r\n", .carriageReturnWithoutLineFeed, "two CRs"),
    Refusal("\n", .lineFeedWithoutCarriageReturn, "a leading LF"),
    Refusal("\r\r", .carriageReturnWithoutLineFeed, "a leading CR"),
    Refusal("\r\n\r", .repeatedEmptyLine, "a second leading empty line"),
    Refusal("\r\n\n", .lineFeedWithoutCarriageReturn, "a second leading line end"),
    Refusal("\u{16}\u{3}\u{1}", .malformedMethod, "a TLS record"),
    Refusal("\"", .malformedMethod, "a byte that begins no method"),
  ]

  @Test(arguments: refusedLines)
  func `a request line outside the grammar is refused at once`(_ row: Refusal) {
    let result = outcome(row.text)
    #expect(result?.fault == row.fault)
  }

  @Test func `one leading empty line is skipped`() {
    let result = outcome("\r\n" + hosted())?.reading
    #expect(result?.method == .get)
    #expect(result?.length == hosted().utf8.count + 2)
    // between requests, too (RFC 9112 section 2.2)
    let bytes = Array(hosted().utf8)
    let both = bytes + Array("\r\n".utf8) + bytes
    let second = read(both, from: bytes.count, arrivals: bytes.count...both.count)
    #expect(second.reading?.length == bytes.count + 2)
  }

  @Test func `the head after another one is read from its beginning`() throws {
    let bytes = Array((hosted() + hosted("A: b")).utf8)
    var head = RequestHead()
    let first = try head.read(bytes.span, from: 0, limits: RequestLimits())
    #expect(first == hosted().utf8.count)
    let next = try head.read(bytes.span, from: first ?? 0, limits: RequestLimits())
    #expect(next == bytes.count && head.fieldCount == 2)
    #expect(try head.read(bytes.span, from: bytes.count, limits: RequestLimits()) == nil)
  }
}
