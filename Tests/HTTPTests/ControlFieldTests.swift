import HTTP
import Testing

/// Where a message ends and whether another may follow: the fields that request smuggling is
/// made of (RFC 9112 sections 6, 9.3 and 11.2).
@Suite struct ControlFieldTests {
  @Test func `the framing of the content is known`() {
    let rows: [([String], BodyFraming)] = [
      ([], .none),
      (["Content-Length: 0"], .none),
      (["Content-Length: 5"], .length(5)),
      (["Content-Length: \t5 "], .length(5)),
      (["content-length:0005"], .length(5)),
      (["Content-Length: 9223372036854775807"], .length(.max)),
      (["Transfer-Encoding: chunked"], .chunked),
      (["transfer-encoding:\tCHUNKED\t"], .chunked),
    ]
    for (fields, framing) in rows {
      let lines = fields.map { $0 + "\r\n" }.joined()
      let result = outcome("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")?.reading
      #expect(result?.body == framing, "\(fields)")
    }
  }

  static let refusedLengths = [
    // Content-Length = 1*DIGIT (RFC 9110 section 8.6)
    "", " ", "a", "+5", "-5", "5a", "0x5", "5 5", "5,", ",5", "5;5", "5.0", "\"5\"", "5\t5", "٥",
    "5\u{80}",
    "1e1", "5_0",
    // beyond all integers
    "9223372036854775808", "18446744073709551621", "99999999999999999999999999",
    // equal lengths in a list may be refused, differing ones must be
    "5, 5", "5,5", "5, 6",
  ]

  @Test func `a length that is not a number is refused`() {
    for value in Self.refusedLengths {
      let result = outcome(hosted("Content-Length: \(value)"))
      #expect(result?.fault == .malformedLength, "\(value)")
    }
  }

  static let refusedPairs: [([String], RequestFault)] = [
    (["Content-Length: 5", "Content-Length: 5"], .repeatedLength),
    (["Content-Length: 5", "Content-Length: 6"], .repeatedLength),
    (["Content-Length: 0", "content-length: 0"], .repeatedLength),
    (["Content-Length: 5", "A: b", "Content-Length:"], .repeatedLength),
    // RFC 9112 section 6.3, point 3
    (["Content-Length: 5", "Transfer-Encoding: chunked"], .lengthWithTransferEncoding),
    (["Transfer-Encoding: chunked", "Content-Length: 5"], .lengthWithTransferEncoding),
    (["Transfer-Encoding: chunked", "Content-Length: 0"], .lengthWithTransferEncoding),
    (["Transfer-Encoding: gzip, chunked", "Content-Length: 5"], .lengthWithTransferEncoding),
    (["Transfer-Encoding: x", "Content-Length: 5"], .lengthWithTransferEncoding),
    // Known shapes of codings that one server takes for chunked and another does not
    (["Transfer-Encoding:"], .malformedTransferEncoding),
    (["Transfer-Encoding: ,"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked,"], .malformedTransferEncoding),
    (["Transfer-Encoding: , chunked"], .malformedTransferEncoding),
    (["Transfer-Encoding:", "Transfer-Encoding: chunked"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked", "Transfer-Encoding:"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked, chunked"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked, identity"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked, gzip"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked", "Transfer-Encoding: x"], .malformedTransferEncoding),
    (["Transfer-Encoding: x, chunked, x"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked;q=1"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked; a=b"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked ;a"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked x"], .malformedTransferEncoding),
    (["Transfer-Encoding: \"chunked\""], .malformedTransferEncoding),
    (["Transfer-Encoding: 'chunked'"], .malformedTransferEncoding),
    (["Transfer-Encoding: xchunked"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunkedx"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunke"], .malformedTransferEncoding),
    (["Transfer-Encoding: chu\u{212A}ed"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked\u{A0}"], .malformedTransferEncoding),
    (["Transfer-Encoding: chunked\u{80}"], .malformedTransferEncoding),
    (["Transfer-Encoding: (chunked)"], .malformedTransferEncoding),
    (["Transfer-Encoding: identity"], .malformedTransferEncoding),
    (["Transfer-Encoding: gzip"], .malformedTransferEncoding),
    (["Transfer-Encoding: x", "Transfer-Encoding: y"], .malformedTransferEncoding),
    (["Transfer-Encoding: \u{B}chunked"], .controlCharacter),
    (["Transfer-Encoding: chunked\u{0}"], .controlCharacter),
    (["Transfer-Encoding: chunked\r"], .carriageReturnWithoutLineFeed),
    (["A: b\nTransfer-Encoding: chunked"], .lineFeedWithoutCarriageReturn),
    (["A: b\rTransfer-Encoding: chunked"], .carriageReturnWithoutLineFeed),
    (["A: b\n\nGET /x HTTP/1.1"], .lineFeedWithoutCarriageReturn),
    // final chunked, but in an unknown coding: 501 (section 6.1)
    (["Transfer-Encoding: gzip, chunked"], .unknownTransferCoding),
    (["Transfer-Encoding: gzip", "Transfer-Encoding: chunked"], .unknownTransferCoding),
    (["Transfer-Encoding: a;b=\"c\", chunked"], .unknownTransferCoding),
    (["Transfer-Encoding: identity, chunked"], .unknownTransferCoding),
  ]

  @Test func `framing that two servers could read differently is refused`() {
    for (fields, fault) in Self.refusedPairs {
      let lines = fields.map { $0 + "\r\n" }.joined()
      let result = outcome("GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n")
      #expect(result?.fault == fault, "\(fields)")
    }
  }

  @Test func `names that only resemble framing have no meaning`() {
    for name in ["Content_Length", "Content-Lengt", "Content-Lengthy", "Transfer_Encoding"] {
      let result = outcome(hosted("\(name): 5"))?.reading
      #expect(result?.body == BodyFraming.none, "\(name)")
    }
  }

  @Test func `Transfer-Encoding in HTTP 1-0 is faulty`() {
    // RFC 9112 section 6.1
    for value in ["chunked", "gzip", "gzip, chunked"] {
      let result = outcome(hosted("Transfer-Encoding: \(value)", version: "HTTP/1.0"))
      #expect(result?.fault == .transferEncodingInOldVersion, "\(value)")
    }
  }

  @Test func `reuse follows from version and Connection`() {
    let rows: [(version: String, [String], Bool)] = [
      // RFC 9112 section 9.3
      ("HTTP/1.1", [], true),
      ("HTTP/1.1", ["close"], false),
      ("HTTP/1.1", ["CLOSE"], false),
      ("HTTP/1.1", ["keep-alive"], true),
      ("HTTP/1.1", ["keep-alive, close"], false),
      ("HTTP/1.1", ["close, keep-alive"], false),
      ("HTTP/1.1", ["keep-alive", "close"], false),
      ("HTTP/1.1", ["close", "x"], false),
      ("HTTP/1.1", [",, ,\tclose ,"], false),  // empty members (RFC 9110 section 5.6.1.2)
      ("HTTP/1.1", ["x-close"], true),
      ("HTTP/1.1", ["closed"], true),
      ("HTTP/1.1", ["clos"], true),
      ("HTTP/1.1", [""], true),
      ("HTTP/1.1", ["Upgrade, HTTP2-Settings"], true),
      ("HTTP/1.2", [], true),
      ("HTTP/1.0", [], false),
      ("HTTP/1.0", ["keep-alive"], true),
      ("HTTP/1.0", ["Keep-Alive"], true),
      ("HTTP/1.0", ["x, keep-alive"], true),
      ("HTTP/1.0", ["keep-alive, close"], false),
      ("HTTP/1.0", ["keep-alivx"], false),
      ("HTTP/1.0", ["close"], false),
    ]
    for (version, values, reuse) in rows {
      let lines = values.map { "Connection: \($0)\r\n" }.joined()
      let result = outcome("GET / \(version)\r\nHost: a\r\n\(lines)\r\n")?.reading
      #expect(result?.allowsReuse == reuse, "\(version) \(values)")
    }
  }

  @Test func `only one expectation is met`() {
    // RFC 9110 section 10.1.1
    let rows: [([String], expects: Bool?)] = [
      (["100-continue"], true),
      (["100-Continue"], true),
      (["100-continue", "100-continue"], true),
      (["100-continue,"], true),
      ([""], false),
      (["100-continu"], nil),
      (["100-continued"], nil),
      (["100-continue;a"], nil),
      (["100-continue=a"], nil),
      (["200-ok"], nil),
      (["100-continue, x"], nil),
      (["x", "100-continue"], nil),
      (["x=\"a,b\""], nil),
    ]
    for (values, expects) in rows {
      let lines = values.map { "Expect: \($0)\r\n" }.joined()
      let head = "Host: a\r\nContent-Length: 5\r\n\(lines)\r\n"
      let result = outcome("POST / HTTP/1.1\r\n" + head)
      #expect(result?.reading?.expectsContinue == expects, "\(values)")
      if expects == nil { #expect(result?.fault == .expectationFailed, "\(values)") }
      // In HTTP/1.0 it has no meaning.
      let old = outcome("POST / HTTP/1.0\r\n" + head)
      #expect(old?.reading?.expectsContinue == false, "\(values)")
    }
    let withoutContent = outcome(hosted("Expect: 100-continue"))?.reading
    #expect(withoutContent?.expectsContinue == false)
  }

  @Test func `every fault has its status`() {
    let others: [RequestFault: Status] = [
      .targetTooLong: .uriTooLong, .methodTooLong: .notImplemented,
      .unknownTransferCoding: .notImplemented, .unsupportedVersion: .httpVersionNotSupported,
      .headTooLarge: .requestHeaderFieldsTooLarge, .tooManyFields: .requestHeaderFieldsTooLarge,
      .trailerTooLarge: .requestHeaderFieldsTooLarge, .expectationFailed: .expectationFailed,
      .bodyTooLarge: .contentTooLarge,
    ]
    for fault in RequestFault.allCases {
      #expect(fault.status == others[fault] ?? .badRequest, "\(fault)")
      #expect(!fault.reason.isEmpty)
    }
    #expect(Set(RequestFault.allCases.map(\.reason)).count == RequestFault.allCases.count)
  }
}
