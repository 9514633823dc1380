import Client
import Testing

@testable import Checking

/// Words of findings.
@Suite struct FindingWordTests {
  @Test(
    arguments: [
      ("example.com", "https://www.example.com/x", "from the bare domain to www"),
      ("www.example.com", "https://example.com/x", "from www to the bare domain"),
      ("example.com", "https://shop.example.com/x", "to another host"),
      ("example.com", "https://login.example.org/sso?next=/", "to a login page"),
      ("example.com", "/login", "to a login page"),
      ("example.com", "http://example.com/.well-known/aasa", "from HTTPS to HTTP"),
      ("example.com", "/.well-known/aasa", "to itself"),
      ("example.com", "/.well-known/aasa/", "to the same path with a slash at the end"),
      ("example.com", "/en/.well-known/aasa", "to a locale"), ("example.com", "/elsewhere", nil),
    ] as [(String, String, String?)])
  func `a redirect has a kind`(host: String, location: String, kind: String?) throws {
    let request = try #require(FetchRequest(host: host, path: "/.well-known/aasa"))
    #expect(redirectKind(from: request, to: location) == kind)
  }

  @Test func `a redirect from HTTP to HTTPS is one`() throws {
    let request = try #require(FetchRequest(.http, host: "example.com", path: "/x"))
    #expect(redirectKind(from: request, to: "https://example.com/x") == "from HTTP to HTTPS")
  }

  @Test(arguments: [
    (0, "0 s"), (119, "119 s"), (120, "2 minutes"), (7_199, "119 minutes"), (7_200, "2 hours"),
    (172_800, "48 hours"),
  ])
  func `a span has a unit that suits it`(seconds: Int, words: String) {
    #expect(duration(seconds) == words)
  }
}
