import Foundation
import TestRunning
import Testing

@testable import EndToEnd

/// The requirements of RFC 9110 for an origin server that serves files: each relevant MUST and MUST
/// NOT, by section.
///
/// More on targets and methods is in `ResponseTests`, on codings and preconditions in
/// `SelectionTests`, on 100-continue in `ConnectionTests`, on 421 in `TLSTests`; grammar without a
/// socket is in HTTPTests.
@Suite("RFC 9110: requirements", .manyAtOnce) struct SemanticsRequirementTests {
  private static let path = associationPaths[0]
  private static let modified = "Sun, 06 Nov 1994 08:49:37 GMT"
  private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
  private static let length = String(SelectionTests.large.utf8.count)
  private static func get(_ fields: String...) -> String { request("GET", fields: fields) }
  private static func head(_ fields: String...) -> String { request("HEAD", fields: fields) }

  static let messages: [Requirement] = [
    // 4 Identifiers
    .init(
      "9110 4.2.1", "an http URI with an empty host is invalid", request("GET", "http:///x"), 400,
      staysOpen: false),
    .init(
      "9110 4.2.4", "user information is an error", request("GET", "http://u@example.com\(path)"),
      400, staysOpen: false),

    // 5 Fields
    .init(
      "9110 5.1", "names have no case",
      "GET \(path) HTTP/1.1\r\nhOST: example.com\r\niF-nONE-mATCH: TAG\r\n\r\n", 304),
    .init("9110 5.1", "unknown fields are ignored", get("X-Unknown: \"<>"), 200),
    .init(
      "9110 5.2", "the lines of a list are one list",
      get("If-None-Match: \"a\"", "If-None-Match: TAG"),
      304),
    .init(
      "9110 5.4", "more fields than are read: 4xx",
      request("GET", fields: (0..<100).map { "X-\($0): a" }), 431, staysOpen: false),
    .init(
      "9110 5.4", "a larger field than is read: 4xx",
      get("X: " + String(repeating: "x", count: 20_000)), 431, staysOpen: false),
    .init("9110 5.5", "NUL in a value: refused", get("X: a\u{0}b"), 400, staysOpen: false),
    .init("9110 5.5", "CR in a value: refused", get("X: a\rb"), 400, staysOpen: false),
    .init("9110 5.5", "LF in a value: refused", get("X: a\nb"), 400, staysOpen: false),
    .init(
      "9110 5.6.1.2", "empty members of a list are ignored",
      get("If-None-Match: , ,TAG,,", "Connection: ,, keep-alive ,"), 304),
    .init(
      "9110 5.6.3", "optional white space is space or tab",
      get("Accept-Encoding:\t gzip\t ;\tq=1\t,\tbr"), 200,
      holds: { $0["Content-Encoding"] == "gzip" }),
    .init(
      "9110 5.6.7", "IMF-fixdate is read", get("If-Modified-Since: \(modified)"), 304),
    .init(
      "9110 5.6.7", "the RFC 850 form, too",
      get("If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT"), 304),
    .init(
      "9110 5.6.7", "the form of asctime, too",
      get("If-Modified-Since: Sun Nov  6 08:49:37 1994"), 304),
    .init(
      "9110 5.6.7", "two digits of a year mean no date of more than 50 years to come",
      get("If-Unmodified-Since: Monday, 06-Nov-89 08:49:37 GMT"), 412),

    // 6 Messages
    .init(
      "9110 6.5.1", "trailer fields are not header fields",
      get("Transfer-Encoding: chunked") + "0\r\nIf-None-Match: *\r\n\r\n", 200),

    // 7 Routing
    .init("9110 7.2", "Host names the site", request(host: "other.example"), 404),
    .init(
      "9110 7.4", "an https target on a connection without TLS is misdirected",
      request("GET", "https://example.com\(path)"), 421),
    .init(
      "9110 7.8", "Upgrade in HTTP/1.0 is ignored",
      request("GET", version: "HTTP/1.0", fields: ["Upgrade: h2c", "Connection: upgrade"]), 200,
      staysOpen: false),
    .init(
      "9110 7.8", "and so is one that is not understood",
      get("Upgrade: h2c, websocket", "Connection: upgrade, http2-settings", "HTTP2-Settings: AAMA"),
      200, holds: { $0["Upgrade"] == nil }),

    // 8 Representations
    .init(
      "9110 8.4", "a coding that was applied is named", get("Accept-Encoding: gzip"), 200,
      holds: { $0["Content-Encoding"] == "gzip" && $0.body.prefix(2) == [0x1F, 0x8B] }),
    .init(
      "9110 8.6", "Content-Length of HEAD is that of GET", head(), 200,
      holds: { $0["Content-Length"] == length }),
    .init(
      "9110 8.6", "304 has the length of the representation, or none", get("If-None-Match: TAG"),
      304, holds: { [nil, length].contains($0["Content-Length"]) }),
    .init(
      "9110 8.6", "204 has none", request("OPTIONS"), 204, holds: { $0["Content-Length"] == nil }),

    // 9 Methods
    .init("9110 9.1", "GET is supported", get(), 200, holds: { $0.text == SelectionTests.large }),
    .init("9110 9.1", "HEAD is supported", head(), 200),
    .init("9110 9.1", "methods have a case", request("Get"), 501),
    .init("9110 9.1", "an unknown method: 501", request("FETCH"), 501),
    .init(
      "9110 9.1", "a known one that is not allowed: 405 with Allow", request("DELETE"), 405,
      holds: { $0["Allow"] == "GET, HEAD, OPTIONS" }),
    .init(
      "9110 9.3.1", "the content of a GET means nothing",
      get("Content-Length: 5") + "hello", 200, holds: { $0.text == SelectionTests.large }),
    .init("9110 9.3.2", "HEAD gets no content", head(), 200, holds: { $0.body.isEmpty }),
    .init(
      "9110 9.3.2", "HEAD of a missing file gets none either", request("HEAD", "/x"), 404,
      holds: { $0.body.isEmpty && $0["Content-Length"] != "0" }),
    .init(
      "9110 9.3.6", "CONNECT makes no tunnel", request("CONNECT", "example.com:443"), 501),
    .init(
      "9110 9.3.7", "OPTIONS lists the allowed methods", request("OPTIONS"), 204,
      holds: { $0["Allow"] == "GET, HEAD, OPTIONS" }),
    .init("9110 9.3.8", "TRACE reflects nothing", request("TRACE", fields: ["X: secret"]), 405),

    // 10 Context
    .init(
      "9110 10.1.1", "100-continue in HTTP/1.0 is ignored",
      request(
        "GET", version: "HTTP/1.0",
        fields: ["Expect: 100-continue", "Content-Length: 2", "Connection: keep-alive"]) + "ab", 200
    ),
    .init(
      "9110 10.1.1", "it has no case, and is not needed when the content is there",
      get("Expect: 100-Continue", "Content-Length: 2") + "ab", 200),
    .init(
      "9110 10.1.1", "another expectation: 417", get("Expect: 200-ok"), 417, staysOpen: false),
    .init(
      "9110 10.2.1", "405 has Allow", request("PUT", fields: ["Content-Length: 0"]), 405,
      holds: { $0["Allow"] != nil }),

    // 12 Negotiation
    .init(
      "9110 12.5.3", "identity refused and nothing else there: 406",
      get("Accept-Encoding: *;q=0"), 406),
    .init(
      "9110 12.5.5", "Vary names the deciding field", get(), 200,
      holds: { $0["Vary"] == "Accept-Encoding" }),
  ]

  static let conditions: [Requirement] = [
    .init("9110 13.1.1", "If-Match compares strongly", get("If-Match: W/TAG"), 412),
    .init("9110 13.1.1", "If-Match that fails: 412, not performed", get("If-Match: \"x\""), 412),
    .init("9110 13.1.2", "If-None-Match compares weakly", get("If-None-Match: W/TAG"), 304),
    .init("9110 13.1.2", "for HEAD, too", head("If-None-Match: *"), 304),
    .init(
      "9110 13.1.3", "If-Modified-Since beside If-None-Match is ignored",
      get("If-None-Match: \"x\"", "If-Modified-Since: MODIFIED"), 200),
    .init(
      "9110 13.1.3", "one that is not a date is ignored", get("If-Modified-Since: yesterday"), 200),
    .init(
      "9110 13.1.3", "one with two members is ignored",
      get("If-Modified-Since: MODIFIED, MODIFIED"), 200),
    .init(
      "9110 13.1.3", "and so is one on two lines",
      get("If-Modified-Since: MODIFIED", "If-Modified-Since: MODIFIED"), 200),
    .init(
      "9110 13.1.3", "and with another method than GET and HEAD",
      request("OPTIONS", fields: ["If-Modified-Since: MODIFIED"]), 204),
    .init(
      "9110 13.1.4", "If-Unmodified-Since beside If-Match is ignored",
      get("If-Match: TAG", "If-Unmodified-Since: \(before)"), 200),
    .init(
      "9110 13.1.4", "one that is not a date is ignored", get("If-Unmodified-Since: 0"), 200),
    .init(
      "9110 13.1.4", "one with two members is ignored",
      get("If-Unmodified-Since: \(before), \(before)"), 200),
    .init(
      "9110 13.1.5", "If-Range without Range is ignored", get("If-Range: \"x\""), 200),
    .init(
      "9110 13.1.5", "and with a Range that is not supported",
      get("If-Range: TAG", "Range: bytes=0-1"),
      200, holds: { $0["Content-Range"] == nil }),
    .init(
      "9110 13.2.1", "preconditions of a request that would fail are ignored",
      request("GET", "/x", fields: ["If-Match: \"x\""]), 404),
    .init(
      "9110 13.2.1", "and of one that is not allowed",
      request("DELETE", fields: ["If-Match: \"x\""]), 405),
    .init(
      "9110 13.2.1", "OPTIONS has none", request("OPTIONS", fields: ["If-Match: \"x\""]), 204),
    .init(
      "9110 13.2.2", "If-Match is judged before If-None-Match",
      get("If-None-Match: TAG", "If-Match: \"x\""), 412),
    .init(
      "9110 13.2.2", "If-None-Match after If-Match that holds",
      get("If-None-Match: TAG", "If-Match: *"), 304),
    .init(
      "9110 14.2", "a range unit that is not understood is ignored", get("Range: pages=1-2"), 200),
    .init(
      "9110 14.2", "Range with another method than GET is ignored", head("Range: bytes=0-1"), 200,
      holds: { $0["Content-Length"] == length }),
    .init(
      "9110 15.4.5", "304 has the fields of the 200", get("If-None-Match: TAG"), 304,
      holds: {
        $0["ETag"] != nil && $0["Cache-Control"] != nil && $0["Vary"] == "Accept-Encoding"
      }),
    .init(
      "9110 15.4.5", "with gzip, too", get("If-Modified-Since: MODIFIED", "Accept-Encoding: gzip"),
      304, holds: { $0["ETag"] != nil && $0["Vary"] == "Accept-Encoding" }),
    .init(
      "9110 15.6.6", "another major version: 505", request(version: "HTTP/2.0"), 505,
      staysOpen: false),
  ]

  @Test func `each is met`() throws {
    try withRepresentation { server, representation in
      for row in Self.messages + Self.conditions { try row.check(server, representation) }
    }
  }

  @Test
  func `strong tags of two codings differ, and Last-Modified is never later than Date`() throws {
    let workspace = try Workspace(serving: ["example.com": SelectionTests.large])
    // Ten years from now (9110 8.8.2.1).
    try workspace.setModified("domains/example.com.json", Int(time(nil)) + 315_360_000)
    try withServer(workspace) { server in
      server.allowRuleWarnings()
      let plain = try server.get()
      // Files are compressed in the background, right after the start.
      let packed = try #require(
        eventually {
          let response = try server.get(associationPaths[0], ["Accept-Encoding: gzip"])
          return response["Content-Encoding"] == "gzip" ? response : nil
        })
      #expect(plain["ETag"] != packed["ETag"])
      for response in [plain, packed] {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        let dates = ["Last-Modified", "Date"].compactMap { response[$0].flatMap(format.date) }
        #expect(dates.count == 2 && dates[0] <= dates[1], "\(response.fields)")
      }
    }
  }
}
