import CatalogSupport
import HTTP
import Testing

@testable import Catalog
@testable import Settings

/// The answers to a CA's challenges.
@Suite struct ChallengeAnswerTests {
  private static let answers = ChallengeAnswers(thumbprint: "thumb-print_43")
  private static let token = "evaGxfADs6pSRb2LAv9IZf17Dt3juxGJ-PCt92wr-oA"

  private func body(_ path: String, _ answers: ChallengeAnswers = Self.answers) -> String? {
    let bytes = Array(path.utf8)
    return answers.representation(bytes.span, path: 0..<bytes.count).map {
      String(decoding: $0.body, as: UTF8.self)
    }
  }

  @Test func `a token is answered with itself and the thumbprint`() throws {
    let path = "/.well-known/acme-challenge/\(Self.token)"
    #expect(body(path) == "\(Self.token).thumb-print_43")
    let bytes = Array(path.utf8)
    let answer = Self.answers.representation(bytes.span, path: 0..<bytes.count)
    let found = try #require(answer)
    let head = String(decoding: found.commonHead, as: UTF8.self)
    for field in [
      "Content-Type: application/octet-stream", "X-Content-Type-Options: nosniff",
      "Cache-Control: no-store", "Content-Length: 58",
    ] {
      #expect(head.contains(field + "\r\n"))
    }
  }

  @Test(arguments: [
    "/.well-known/acme-challenge/", "/.well-known/acme-challenge/short",
    "/.well-known/acme-challenge/aaaaaaaaaaaaaaaaaaaaaaaaaaaa/bbb",
    "/.well-known/acme-challenge/aaaaaaaaaaaaaaaaaaaa<script>a",
    "/.well-known/acme-challenge/aaaaaaaaaaaaaaaaaaaa%20aaaaaa",
    "/.well-known/acme-challenge/aaaaaaaaaaaaaaaaaaaa.aaaaaaaa",
    "/.well-known/acme-challengf/aaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "/", "", "/.well-known/apple-app-site-association",
    "/.well-known/acme-challenge/" + String(repeating: "a", count: 129),
  ])
  func `nothing but a well-formed token is repeated`(path: String) {
    #expect(body(path) == nil)
  }

  @Test(arguments: [20, 128])
  func `tokens of all lengths that a CA may use are answered`(count: Int) {
    #expect(body("/.well-known/acme-challenge/" + String(repeating: "a", count: count)) != nil)
  }

  @Test func `without an account there is no answer`() {
    let answers = ChallengeAnswers()
    let path = "/.well-known/acme-challenge/\(Self.token)"
    #expect(body(path, answers) == nil)
    answers.thumbprint = "x"
    #expect(body(path, answers) == "\(Self.token).x")
  }

  /// Files may come to another server of a fleet a moment later.
  @Test func `a host that is not served has no answer, but other servers see the account`() throws {
    let selector = AnswerSelector(fixed: FixedAnswers(retryAfter: 77), challenges: Self.answers)
    let catalog = Catalog(sites: [Site(name: .host("a.test"), answers: [])], material: nil)
    for (host, status) in [("a.test", 200), ("b.test", 404)] {
      let path = "/.well-known/acme-challenge/\(Self.token)"
      let bytes = Array("GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\r\n".utf8)
      var head = RequestHead()
      _ = try head.read(bytes.span, from: 0, limits: RequestLimits())
      let answer = selector.answer(
        to: head, for: head.host, in: bytes.span, catalog: catalog, isMisdirected: false, now: 0)
      #expect(AnswerSelectorTests.status(answer) == status)
      #expect(AnswerSelectorTests.lines(answer).contains("Aasa-Account: thumb-print_43"))
    }
  }

  @Test func `random paths are never reflected but for tokens`() {
    var random = SystemRandomNumberGenerator()
    let prefix = Array("/.well-known/acme-challenge/".utf8)
    for _ in 0..<20_000 {
      let tail = (0..<Int.random(in: 0...140, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      let bytes = prefix + tail
      guard let found = Self.answers.representation(bytes.span, path: 0..<bytes.count) else {
        continue
      }
      #expect(found.body.allSatisfy { $0 < 0x7B && $0 > 0x2C && $0 != 0x3C && $0 != 0x3E })
    }
  }
}
