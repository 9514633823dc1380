import HTTP
import Testing

/// Parses a GET with these field lines and hands it on.
func withHead<T>(
  method: String = "GET", _ fields: [String], _ body: (borrowing RequestHead, [UInt8]) -> T
) throws(RequestFault) -> T {
  let lines = fields.map { $0 + "\r\n" }.joined()
  let bytes = Array("\(method) / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n".utf8)
  var head = RequestHead()
  _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
  return body(head, bytes)
}

@Suite struct ContentCodingTests {
  typealias Row = ([String], available: ContentCoding, unavailable: ContentCoding)

  static let rows: [Row] = [
    // RFC 9110 section 12.5.3
    ([], .identity, .identity),
    ([""], .identity, .identity),
    ([","], .identity, .identity),
    (["gzip"], .gzip, .identity),
    (["GZip"], .gzip, .identity),
    (["x-gzip"], .gzip, .identity),
    (["gzip, deflate, br, zstd"], .gzip, .identity),
    (["br,gzip"], .gzip, .identity),
    (["br"], .identity, .identity),
    (["br", "gzip"], .gzip, .identity),  // several lines are one list (section 5.3)
    (["", "gzip"], .gzip, .identity),
    (["\t, gzip ,"], .gzip, .identity),
    (["*"], .gzip, .identity),
    (["*;q=0.1"], .gzip, .identity),
    (["*;q=0"], .notAcceptable, .notAcceptable),
    (["*;q=0, gzip"], .gzip, .notAcceptable),
    (["*;q=0, identity"], .identity, .identity),
    (["gzip;q=0"], .identity, .identity),
    (["gzip;q=0, *"], .identity, .identity),
    (["gzip;q=0.000"], .identity, .identity),
    (["gzip;q=0.001"], .gzip, .identity),
    (["gzip;q=1.000"], .gzip, .identity),
    (["gzip; q=0.5"], .gzip, .identity),
    (["gzip ;\tQ=0.5 "], .gzip, .identity),
    (["gzip;q=0.5, identity"], .identity, .identity),
    (["gzip;q=0.5, identity;q=0.5"], .gzip, .identity),
    (["identity, gzip;q=0.999"], .identity, .identity),
    (["identity;q=0.5, gzip"], .gzip, .identity),
    (["identity;q=0"], .notAcceptable, .notAcceptable),
    (["identity;q=0, gzip"], .gzip, .notAcceptable),
    (["identity;q=0, gzip;q=0"], .notAcceptable, .notAcceptable),
    (["identity;q=0", "gzip;q=0.2"], .gzip, .notAcceptable),
    (["identity;q=0, *"], .gzip, .notAcceptable),
    (["identity;q=0, br"], .notAcceptable, .notAcceptable),
    (["gzip;q=0.5, *;q=0.7"], .identity, .identity),
    (["gzip;q=0, x-gzip"], .gzip, .identity),  // the heaviest weight
    // A member that breaks the grammar is passed over.
    (["gzip;q=2"], .identity, .identity),
    (["gzip;q=1.001"], .identity, .identity),
    (["gzip;q=0.0000"], .identity, .identity),
    (["gzip;q=0.1234"], .identity, .identity),
    (["gzip;q=-1"], .identity, .identity),
    (["gzip;q=.5"], .identity, .identity),
    (["gzip;q="], .identity, .identity),
    (["gzip;q"], .identity, .identity),
    (["gzip;"], .identity, .identity),
    (["gzip;q=1;a=b"], .identity, .identity),
    (["gzip;a=b"], .identity, .identity),
    (["gzip;q =1"], .identity, .identity),
    (["gzip;q= 1"], .identity, .identity),
    (["gzip q=1"], .identity, .identity),
    (["gzip x, gzip;q=x"], .identity, .identity),
    (["\"gzip\""], .identity, .identity),
    (["(gzip), gzip"], .gzip, .identity),
    (["gzipp, xgzip, gzi"], .identity, .identity),
    (["identity;q=x"], .identity, .identity),
    (["gzip;q=1., identity;q=0."], .gzip, .notAcceptable),  // "0" [ "." 0*3DIGIT ]
  ]

  @Test func `the coding is chosen by weight`() throws {
    for (values, available, unavailable) in Self.rows {
      let choices = try withHead(values.map { "Accept-Encoding: \($0)" }) { head, bytes in
        [
          acceptEncoding(head, bytes.span, gzipAvailable: true),
          acceptEncoding(head, bytes.span, gzipAvailable: false),
        ]
      }
      #expect(choices == [available, unavailable], "\(values)")
    }
  }
}
