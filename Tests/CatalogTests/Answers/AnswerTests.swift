import CatalogSupport
import HTTP
import Testing

@testable import Catalog
@testable import Settings

@Suite struct AnswerSelectorTests {
  /// Every site by its host's name.
  ///
  /// Made for each use, because the leak checker takes a weak reference to a permanent object for a
  /// leak.
  static var catalog: Catalog {
    var store = ContentStore(cacheControl: "max-age=60")
    func served(_ text: String, _ kind: ContentKind) -> Availability {
      .served(
        ServedFile(
          content: store.content(of: Array(text.utf8), kind: kind), lastModified: 784_111_777))
    }
    let sites = [
      Site(
        name: .host("small.test"), association: served("{}", .association),
        assetLinks: served("[]", .assetLinks),
        others: [
          // security.txt and matrix/client
          6: served("a", .file(6)), 9: .unavailable,
        ]),
      Site(
        name: .host("large.test"),
        association: served("{" + String(repeating: " ", count: 5_000) + "}", .association),
        assetLinks: .absent),
      Site(name: .host("broken.test"), association: .unavailable, assetLinks: .unavailable),
      Site(name: .host("empty.test"), association: .absent, assetLinks: .absent),
      Site(
        name: .any, association: served(#"{"default":1}"#, .association), assetLinks: .absent),
    ]
    return Catalog(sites: sites, aliases: [], material: nil)
  }

  static var small: Catalog {
    Catalog(sites: catalog.sites.filter { $0.name != .any }, aliases: [], material: nil)
  }

  static let selector = AnswerSelector(fixed: FixedAnswers(retryAfter: 77))

  static func answer(
    _ request: String, catalog: Catalog? = nil, isMisdirected: Bool = false
  ) throws -> Answer {
    // The default would answer for a host without a good version.
    let isWeak = ["broken.test", "empty.test"].contains { request.contains($0) }
    let catalog = catalog ?? (isWeak ? small : Self.catalog)
    let bytes = Array(request.utf8)
    var head = RequestHead()
    _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
    return selector.answer(
      to: head, for: head.host, in: bytes.span, catalog: catalog, isMisdirected: isMisdirected,
      now: 1_700_000_000)
  }

  static func lines(_ answer: Answer) -> [String] {
    text(answer.head).split(separator: "\r\n").map(String.init)
  }

  static func status(_ answer: Answer) -> Int {
    Int(lines(answer)[0].split(separator: " ")[1]) ?? 0
  }

  struct Row: CustomTestStringConvertible {
    let method: String
    let target: String
    let host: String
    var fields = ""
    let status: Int
    var body: String?
    var testDescription: String { "\(method) \(target) \(host) \(fields)" }

    init(
      _ method: String, _ target: String, _ host: String, _ fields: String = "", status: Int,
      body: String? = nil
    ) {
      self.method = method
      self.target = target
      self.host = host
      self.fields = fields
      self.status = status
      self.body = body
    }

    var request: String {
      "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        + fields.split(separator: "|").map { $0 + "\r\n" }.joined() + "\r\n"
    }
  }

  static let known = "/.well-known/apple-app-site-association"
  static let root = "/apple-app-site-association"
  static let links = "/.well-known/assetlinks.json"

  static let targets = [
    Row("GET", known, "small.test", status: 200, body: "{}"),
    Row("GET", root, "small.test", status: 200, body: "{}"),
    Row("GET", links, "small.test", status: 200, body: "[]"),
    Row("HEAD", known, "small.test", status: 200, body: ""),
    Row("GET", "/.well-known/security.txt", "small.test", status: 200, body: "a"),
    Row("GET", "/.well-known/security%2etxt?a", "small.test", status: 200, body: "a"),
    Row("HEAD", "/.well-known/security.txt", "small.test", status: 200, body: ""),
    Row("POST", "/.well-known/security.txt", "small.test", status: 405),
    Row("GET", "/.well-known/matrix/client", "small.test", status: 503),
    Row("GET", "/.well-known/matrix%2Fclient", "small.test", status: 404),
    Row("GET", "/.well-known/matrix/server", "small.test", status: 404),
    Row("GET", "/.well-known/matrix", "small.test", status: 404),
    Row("GET", "/.well-known/change-password", "small.test", status: 404),
    Row("GET", "/security.txt", "small.test", status: 404),
    Row("GET", "/.well-known/security.txt", "large.test", status: 404),
    // the host in any case, with a port, with its last dot
    Row("GET", known, "SMALL.Test", status: 200, body: "{}"),
    Row("GET", known, "small.test:8080", status: 200, body: "{}"),
    Row("GET", known, "small.test.", status: 200, body: "{}"),
    // a query is ignored
    Row("GET", known + "?a=b", "small.test", status: 200, body: "{}"),
    Row("GET", known + "?", "small.test", status: 200, body: "{}"),
    // percent-encoded unreserved characters are the same path
    Row("GET", "/%61pple-app-site-association", "small.test", status: 200, body: "{}"),
    Row(
      "GET", "/%2Ewell-known/apple%2dapp-site-association", "small.test", status: 200, body: "{}"),
    // the absolute form, whose host wins
    Row("GET", "http://small.test" + known, "large.test", status: 200, body: "{}"),
    // any other path is not found
    Row("GET", "/", "small.test", status: 404),
    Row("GET", root + "/", "small.test", status: 404),
    Row("GET", "/Apple-App-Site-Association", "small.test", status: 404),
    Row("GET", root + ".json", "small.test", status: 404),
    Row("GET", "/./apple-app-site-association", "small.test", status: 404),
    Row("GET", "/a/.." + root, "small.test", status: 404),
    Row("GET", "/" + root, "small.test", status: 404),
    Row("GET", "/.well-known%2Fapple-app-site-association", "small.test", status: 404),
    Row("GET", "/assetlinks.json", "small.test", status: 404),
    Row("GET", "http://small.test", "small.test", status: 404),
    // sites without the file, and with a faulty one
    Row("GET", links, "large.test", status: 404),
    Row("GET", known, "empty.test", status: 404),
    Row("GET", known, "broken.test", status: 503),
    Row("HEAD", known, "broken.test", status: 503, body: ""),
    Row("GET", links, "broken.test", status: 503),
    // hosts without entry have the default
    Row("GET", known, "other.test", status: 200, body: #"{"default":1}"#),
    Row("GET", known, "192.0.2.1", status: 200, body: #"{"default":1}"#),
    Row("GET", known, "[::1]:8080", status: 200, body: #"{"default":1}"#),

    Row("OPTIONS", known, "small.test", status: 204, body: ""),
    Row("OPTIONS", known, "broken.test", status: 204, body: ""),
    Row("OPTIONS", "*", "small.test", status: 204, body: ""),
    Row("OPTIONS", "*", "unknown.test", status: 204, body: ""),
    // without a path it means `*` (RFC 9112 3.2.4)
    Row("OPTIONS", "http://small.test", "small.test", status: 204, body: ""),
    Row("OPTIONS", "/", "small.test", status: 404),
    Row("POST", known, "small.test", status: 405),
    Row("PUT", known, "broken.test", status: 405),
    Row("DELETE", root, "small.test", status: 405),
    Row("TRACE", known, "small.test", status: 405),
    Row("PATCH", known, "small.test", status: 405),
    Row("POST", "/", "small.test", status: 404),
    Row("CONNECT", "small.test:443", "small.test", status: 501),
    // unknown methods, and methods are case-sensitive
    Row("BREW", known, "small.test", status: 501),
    Row("get", known, "small.test", status: 501),
    Row("BREW", "/", "unknown.test", status: 501),
  ]

  @Test(arguments: targets)
  func `method, target and host select the answer`(_ row: Row) throws {
    let answer = try Self.answer(row.request)
    #expect(Self.status(answer) == row.status)
    if let body = row.body { #expect(text(answer.body) == body) }
    #expect(!answer.closes)
  }

  @Test func `without a default other hosts are not found`() throws {
    for host in ["other.test", "192.0.2.1", "xsmall.test", "a.small.test"] {
      let request = "GET \(Self.known) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
      #expect(Self.status(try Self.answer(request, catalog: Self.small)) == 404)
    }
  }

  @Test func `a request of HTTP 1_0 without Host has the default, and closes`() throws {
    let request = "GET \(Self.known) HTTP/1.0\r\n\r\n"
    let answer = try Self.answer(request)
    #expect(text(answer.body) == #"{"default":1}"#)
    #expect(answer.closes)
    #expect(Self.status(try Self.answer(request, catalog: Self.small)) == 404)
  }

  @Test func `a misdirected request is answered with 421`() throws {
    let request = "GET \(Self.known) HTTP/1.1\r\nHost: small.test\r\n\r\n"
    #expect(Self.status(try Self.answer(request, isMisdirected: true)) == 421)
    let head = "HEAD / HTTP/1.1\r\nHost: small.test\r\n\r\n"
    let answer = try Self.answer(head, isMisdirected: true)
    #expect(Self.status(answer) == 421)
    #expect(answer.body.isEmpty)
  }

  @Test func `while hosts may exist that are not known, nobody gets 404 for their files`() throws {
    let known = Catalog(sites: Self.small.sites, isIncomplete: true, material: nil)
    for catalog in [known, try #require(known.replacing([], material: nil))] {
      func status(_ target: String, _ host: String) throws -> Int {
        let request = "GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
        return Self.status(try Self.answer(request, catalog: catalog))
      }
      #expect(try status(Self.known, "other.test") == 503)
      #expect(try status(Self.links, "other.test") == 503)
      #expect(try status("/other", "other.test") == 404)
      #expect(try status(Self.known, "small.test") == 200)
      #expect(try status(Self.known, "empty.test") == 404)
    }
  }

  @Test(arguments: [
    ("1.1", "", false), ("1.1", "Connection: close\r\n", true),
    ("1.1", "Connection: keep-alive\r\n", false), ("1.0", "", true),
    ("1.0", "Connection: keep-alive\r\n", false),
  ])
  func `the answer closes when the request does not allow another`(
    _ version: String, _ field: String, _ closes: Bool
  ) throws {
    for target in [Self.known, "/missing"] {
      let request = "GET \(target) HTTP/\(version)\r\nHost: small.test\r\n\(field)\r\n"
      #expect(try Self.answer(request).closes == closes)
    }
  }

  static func tag(_ host: String, gzip: Bool = false) -> String {
    let content = catalog.site(for: host)?.association.content
    return text((gzip ? content?.gzip : content?.identity)?.entityTag ?? [])
  }

  static let conditions = [
    // the coding that is asked for, where there is one
    Row("GET", known, "large.test", "Accept-Encoding: gzip", status: 200),
    Row("GET", known, "large.test", "Accept-Encoding: *, identity;q=0", status: 200),
    // gzip was not asked for (RFC 9110 12.5.3)
    Row("GET", known, "large.test", "Accept-Encoding: identity;q=0", status: 406),
    Row("GET", known, "small.test", "Accept-Encoding: gzip", status: 200, body: "{}"),
    // only gzip is accepted, and the file has none
    Row("GET", known, "small.test", "Accept-Encoding: gzip, identity;q=0", status: 406),
    Row("HEAD", known, "small.test", "Accept-Encoding: *;q=0", status: 406, body: ""),
    Row("GET", known, "small.test", "If-None-Match: \(tag("small.test"))", status: 304, body: ""),
    Row("GET", known, "small.test", "If-None-Match: W/\(tag("small.test"))", status: 304),
    Row("GET", known, "small.test", "If-None-Match: *", status: 304),
    Row("HEAD", known, "small.test", "If-None-Match: *", status: 304, body: ""),
    Row("GET", known, "small.test", #"If-None-Match: "other""#, status: 200, body: "{}"),
    // another coding is another representation
    Row("GET", known, "large.test", "If-None-Match: \(tag("large.test", gzip: true))", status: 200),
    Row(
      "GET", known, "large.test",
      "Accept-Encoding: gzip|If-None-Match: \(tag("large.test", gzip: true))", status: 304),
    Row(
      "GET", known, "small.test", "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", status: 304),
    Row(
      "GET", known, "small.test", "If-Modified-Since: Sun, 06 Nov 1994 08:49:36 GMT", status: 200),
    Row("GET", known, "small.test", #"If-Match: "other""#, status: 412),
    Row("HEAD", known, "small.test", #"If-Match: "other""#, status: 412, body: ""),
    Row("GET", known, "small.test", "If-Match: \(tag("small.test"))", status: 200),
    Row(
      "GET", known, "small.test", "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:36 GMT", status: 412),
    // conditions on a missing file do not hide that
    Row("GET", known, "empty.test", "If-None-Match: *", status: 404),
    Row("GET", known, "broken.test", "If-None-Match: *", status: 503),
    Row("OPTIONS", known, "small.test", "If-None-Match: *", status: 204),
    // a range is ignored
    Row("GET", known, "small.test", "Range: bytes=0-0", status: 200, body: "{}"),
  ]

  @Test(arguments: conditions)
  func `codings and conditions select the representation`(_ row: Row) throws {
    let answer = try Self.answer(row.request)
    #expect(Self.status(answer) == row.status)
    if let body = row.body { #expect(text(answer.body) == body) }
  }

  @Test func `the gzip representation is the gzip body under the gzip head`() throws {
    let row = Self.conditions[0]
    let answer = try Self.answer(row.request)
    let gzip = try #require(Self.catalog.site(for: "large.test")?.association.content?.gzip)
    #expect(answer.body == gzip.body)
    #expect(Self.lines(answer).contains("Content-Encoding: gzip"))
    #expect(Self.lines(answer).contains("Content-Length: \(gzip.body.count)"))
  }

  @Test func `HEAD has the head of GET`() throws {
    for (target, host) in [
      (Self.known, "small.test"), (Self.known, "broken.test"), ("/", "x.test"),
    ] {
      let rest = " \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n"
      let get = try Self.answer("GET" + rest)
      let head = try Self.answer("HEAD" + rest)
      #expect(Self.lines(get) == Self.lines(head))
      #expect(head.body.isEmpty && !get.body.isEmpty)
    }
  }

  @Test func `200 and 304 say when the file was last changed, no other answer does`() throws {
    for row in Self.targets + Self.conditions {
      let answer = try Self.answer(row.request)
      let has = Self.lines(answer).contains { $0.hasPrefix("Last-Modified: ") }
      #expect(has == [200, 304].contains(row.status))
    }
  }

  @Test func `GET and HEAD of a file for apps are fetches, nothing else is`() throws {
    let files = [Self.known, Self.root, Self.links]
    for method in ["GET", "HEAD", "OPTIONS", "POST", "BREW"] {
      for target in files + ["/.well-known/security.txt", "/"] {
        let request = "\(method) \(target) HTTP/1.1\r\nHost: small.test\r\n\r\n"
        let isFetch = ["GET", "HEAD"].contains(method) && files.contains(target)
        let isCounted = try Self.answer(request).subject.site >= 0
        #expect(isCounted == isFetch, "\(method) \(target)")
      }
    }
  }

  @Test func `nothing is redirected`() throws {
    for row in Self.targets + Self.conditions {
      let answer = try Self.answer(row.request)
      #expect(!(300...399).contains(Self.status(answer)) || Self.status(answer) == 304)
      #expect(!Self.lines(answer).contains { $0.lowercased().hasPrefix("location:") })
    }
  }
}

@Suite struct FixedAnswerTests {
  static let statuses = Status.allCases.filter {
    $0.code >= 204 && $0 != .notModified
  }

  @Test(arguments: statuses)
  func `a fixed answer is whole, and repeats nothing of the request`(_ status: Status) throws {
    let answers = FixedAnswers(retryAfter: 77)
    let answer = answers.answer(status)
    let lines = AnswerSelectorTests.lines(answer)
    #expect(lines[0] == "HTTP/1.1 \(status.code) \(status.reasonPhrase)")
    #expect(lines.contains("X-Content-Type-Options: nosniff"))
    if status == .noContent {
      #expect(answer.body.isEmpty)
      #expect(!lines.contains { $0.hasPrefix("Content-Length") })
    } else {
      #expect(lines.contains("Content-Length: \(answer.body.count)"))
      #expect(lines.contains("Content-Type: text/plain; charset=utf-8"))
      #expect(lines.contains("Cache-Control: no-store"))
      // One line, in lower case, without a full stop.
      let body = text(answer.body)
      #expect(body.hasSuffix("\n") && body.dropLast().allSatisfy { $0 != "\n" && $0 != "\r" })
      #expect(body.count > 3 && !body.hasSuffix(".\n"))
    }
    let allow = "Allow: GET, HEAD, OPTIONS"
    #expect(lines.contains(allow) == [.noContent, .methodNotAllowed].contains(status))
    #expect(lines.contains("Retry-After: 77") == (status == .serviceUnavailable))
    #expect(lines.contains("Vary: Accept-Encoding") == (status == .notAcceptable))

    #expect(answers.answer(status, omitsBody: true).body.isEmpty)
    #expect(answers.answer(status, omitsBody: true).head == answer.head)
    #expect(!answer.closes && answer.closing.closes)
    #expect(answers.answer(status, closes: true).closes)
  }
}
