import HTTP
import Testing

@Suite struct HostTests {
  @Test func `a host is taken apart`() {
    let rows: [(String, host: String, port: UInt16?)] = [
      ("a.example", "a.example", nil),
      ("A.Example", "A.Example", nil),
      ("localhost", "localhost", nil),
      ("a_b-c~1.example", "a_b-c~1.example", nil),
      ("127.0.0.1:8080", "127.0.0.1", 8080),
      ("a.example:", "a.example", nil),  // RFC 3986 section 3.2.3: the port may be empty
      ("a.example:0", "a.example", 0),
      ("a.example:00080", "a.example", 80),
      ("a.example:65535", "a.example", 65535),
      ("a.example.", "a.example", nil),  // the dot of a complete name
      ("a.example.:443", "a.example", 443),
      ("[::1]", "::1", nil),
      ("[2001:db8::1]:443", "2001:db8::1", 443),
      ("[::ffff:192.0.2.1]", "::ffff:192.0.2.1", nil),
      ("\t a.example \t", "a.example", nil),  // OWS is space or tab (RFC 9112 section 5)
      (String(repeating: "a", count: 63), String(repeating: "a", count: 63), nil),
    ]
    for (value, host, port) in rows {
      let result = outcome(request("Host:\(value)"))?.reading
      #expect(result?.host == host, "\(value)")
      #expect(result?.port == port, "\(value)")
    }
  }

  static let malformed = [
    // RFC 9110 section 4.2.1: an http URI has a host
    "", " ", ":80", ".", "..", ".:80",
    // no delimiters, no user, no path
    "a/b", "a?b", "a#b", "u@a", "a b", "a,b", "a, b", "a\\b", "http://a", "a\"", "<a>", "a;b",
    "a'b",
    "a%41", "a%00", "a%2f", "a!b", "a*b", "*", "*.a", "(a)", "a=b", "a\tb", "é", "a\u{80}",
    // labels
    ".a", "a..b", "../a", "a..", String(repeating: "a", count: 64),
    Array(repeating: "abcdefg", count: 32).joined(separator: "."),
    // ports
    "a:b", "a:-1", "a:+1", "a: 80", "a:80 80", "a:80:80", "a::80", "a:65536", "a:99999", "a:123456",
    "a:8o", "a:0x50", "a:80a", "a :80", "a:%38",
    // IPv6 (RFC 3986 section 3.2.2)
    "[", "]", "[]", "[:]", "[:::]", "[1]", "::1", "[::1", "::1]", "[::1]x", "[::1]80", "[::1]]",
    "[::g]", "[12345::]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1::2::3]",
    "[1:2:3:4:5:6:7:8::]",
    "[::1%25eth0]", "[fe80::1%eth0]", "[v1.a]", "[127.0.0.1]", "[::1.2.3]", "[::1.2.3.256]",
    "[::1.2.3.4.5]", "[::01.2.3.4]", "[::1.2.3.4:5]", "[1:2:3:4:5:6:7:1.2.3.4]", "[1:]", "[:1::]",
    "[a.example]",
    "x[::1]", "[::1].", "[[::1]]", "[::1 ]",
  ]

  @Test func `a host outside the grammar is refused`() {
    for value in Self.malformed {
      let result = outcome(request("Host: \(value)"))
      #expect(result?.fault == .malformedHost, "\(value)")
      // In HTTP/1.0 it may be missing, but not malformed.
      let old = outcome(request("Host: \(value)", version: "HTTP/1.0"))
      #expect(old?.fault == .malformedHost, "\(value)")
    }
  }

  @Test func `every form of an IPv6 address is taken`() {
    let rows = [
      "::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:1.2.3.4", "::2:3:4:5:6:7:8",
      "1:2:3:4:5:6:7::", "1::3:4:5:6:7:8", "::1.2.3.4", "abcd:EF01::", "1:2::1.2.3.4",
      "0000:0000::255.255.255.255",
    ]
    for value in rows {
      let result = outcome(request("Host: [\(value)]"))?.reading
      #expect(result?.host == value)
    }
  }

  @Test func `exactly one host is given`() {
    // RFC 9112 section 3.2
    #expect(outcome(request())?.fault == .missingHost)
    #expect(outcome(request(version: "HTTP/1.2"))?.fault == .missingHost)
    #expect(outcome(request("Host: a", "Host: a"))?.fault == .repeatedHost)
    #expect(outcome(request("Host: a", "hOST: b"))?.fault == .repeatedHost)
    #expect(outcome(request("Host: a", "A: b", "Host:"))?.fault == .repeatedHost)
    #expect(outcome(request("Hosts: a"))?.fault == .missingHost)
    let old = outcome(request(version: "HTTP/1.0"))?.reading
    #expect(old?.host == "")
    #expect(
      outcome(request("Host: a", "Host: a", version: "HTTP/1.0"))?.fault == .repeatedHost)
  }

  @Test func `the target wins over the Host field, which must still be valid`() {
    // RFC 9112 section 3.2.2
    let line = "GET http://b.example:81/ HTTP/1.1\r\n"
    let both = outcome(line + "Host: a.example:80\r\n\r\n")?.reading
    #expect(both?.host == "b.example")
    #expect(both?.port == 81)
    let portless = outcome("GET http://b/ HTTP/1.1\r\nHost: a.example:80\r\n\r\n")?.reading
    #expect(portless?.port == nil)
    #expect(outcome(line + "\r\n")?.fault == .missingHost)
    #expect(outcome(line + "Host: a b\r\n\r\n")?.fault == .malformedHost)
    #expect(outcome(line + "Host:\r\n\r\n")?.fault == .malformedHost)
    #expect(outcome(line + "Host: b.example\r\nHost: b.example\r\n\r\n")?.fault == .repeatedHost)
    let old = outcome("GET http://b.example/ HTTP/1.0\r\n\r\n")?.reading
    #expect(old?.host == "b.example")
  }
}
