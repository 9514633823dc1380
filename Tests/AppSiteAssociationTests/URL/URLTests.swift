import AppSiteAssociation
import Rules
import Testing

private func parts(_ url: String) -> Result<[String?], URLFault> {
  let bytes = Array(url.utf8)
  func text(_ range: Range<Int>?) -> String? {
    range.map { String(decoding: bytes[$0], as: UTF8.self) }
  }
  do throws(URLFault) {
    let parts = try URLParts(bytes.span)
    return .success([
      text(parts.host), parts.port.map(String.init), text(parts.path), text(parts.query),
      text(parts.fragment),
    ])
  } catch {
    return .failure(error)
  }
}

@Suite struct URLTests {
  @Test(
    arguments: [
      ("https://a.b/c?d#e", ["a.b", nil, "/c", "d", "e"]),
      ("HTTP://A.b", ["A.b", nil, "", nil, nil]),
      ("https://a.b?d", ["a.b", nil, "", "d", nil]),
      ("https://a.b#e?f", ["a.b", nil, "", nil, "e?f"]),
      ("https://a.b/?#", ["a.b", nil, "/", "", ""]),
      ("https://a.b/c?d?e#f#g", ["a.b", nil, "/c", "d?e", "f#g"]),
      ("https://a.b:8443/c", ["a.b", "8443", "/c", nil, nil]),
      ("https://a.b:/c", ["a.b", nil, "/c", nil, nil]),
      // Text before the last @ is not a host.
      ("https://u:p@a.b/c@d", ["a.b", nil, "/c@d", nil, nil]),
      ("https://a.b@evil.test/", ["evil.test", nil, "/", nil, nil]),
      ("https://a@b@c/", ["c", nil, "/", nil, nil]),
      ("https://[::1]:80/", ["[::1]", "80", "/", nil, nil]),
      ("https://münchen.test/ü", ["münchen.test", nil, "/ü", nil, nil]),
      // References within the domain, and one with a host.
      ("/c?d#e", [nil, nil, "/c", "d", "e"]), ("?d", [nil, nil, "", "d", nil]),
      ("#e", [nil, nil, "", nil, "e"]), ("//a.b/c", ["a.b", nil, "/c", nil, nil]),
      ("/a://b", [nil, nil, "/a://b", nil, nil]),
      ("https://a.b//c", ["a.b", nil, "//c", nil, nil]),
    ] as [(String, [String?])])
  func `a URL is split`(url: String, expected: [String?]) {
    #expect(parts(url) == .success(expected))
  }

  @Test(
    arguments: [
      ("", .empty), ("a.b/c", .noScheme), ("a.b:443/c", .noScheme), ("://a", .noScheme),
      ("1http://a", .noScheme), (" https://a", .noScheme),
      ("ftp://a/b", .otherScheme("ftp")), ("mailto:a@b", .otherScheme("mailto")),
      ("javascript:x", .otherScheme("javascript")), ("httpx://a", .otherScheme("httpx")),
      ("https:/a", .noHost), ("https:a", .noHost), ("https://", .noHost), ("https:///a", .noHost),
      ("https://u@/", .noHost), ("https://:80/", .noHost), ("//", .noHost),
      ("https://a b/", .badHost(at: 9)), (#"https://a\@b/"#, .badHost(at: 9)),
      ("https://a<b/", .badHost(at: 9)), ("https://[::1/", .badHost(at: 8)),
      ("https://[::1]x/", .badHost(at: 13)),
      ("https://a:x/", .badPort(at: 10)), ("https://a:65536/", .badPort(at: 10)),
      ("https://a:99999999999999999999999/", .badPort(at: 10)),
      ("https://a/\n", .controlCharacter(at: 10)), ("https://a/\0", .controlCharacter(at: 10)),
      ("/a\u{7F}", .controlCharacter(at: 2)),
    ] as [(String, URLFault)])
  func `anything but a URL is refused`(url: String, fault: URLFault) {
    #expect(parts(url) == .failure(fault))
    #expect(!fault.message.isEmpty)
  }

  @Test func `a URL as long as the limit is read, one byte more is not`() {
    let url = "/" + String(repeating: "a", count: URLParts.longest - 1)
    #expect((try? parts(url).get()) != nil)
    #expect(parts(url + "a") == .failure(.tooLong(URLParts.longest + 1)))
  }

  @Test(
    arguments: [
      ("example.com", "https://example.com/", true), ("example.com", "https://EXAMPLE.com/", true),
      ("EXAMPLE.com", "https://example.com/", true),
      ("example.com", "https://www.example.com/", false),
      ("example.com", "https://example.com.evil.test/", false),
      ("example.com", "https://evilexample.com/", false),
      ("example.com", "https://example.com./", false),
      ("example.com", "/path", true), ("example.com", "https://example.com:8443/", true),
      ("example.com:8443", "https://example.com:8443/", true),
      ("example.com:8443", "https://example.com/", false),
      // A wildcard has all subdomains, but not the domain itself.
      ("*.example.com", "https://www.example.com/", true),
      ("*.example.com", "https://a.b.EXAMPLE.com/", true),
      ("*.example.com", "https://example.com/", false),
      ("*.example.com", "https://.example.com/", false),
      ("*.example.com", "https://wwwexample.com/", false),
      ("münchen.de", "https://MÜNCHEN.de/a", true),
      ("münchen.de", "https://xn--mnchen-3ya.de/", true),
      ("xn--mnchen-3ya.de", "https://münchen.de/a", true),
      ("*.münchen.de", "https://a.xn--mnchen-3ya.de/", true),
      ("münchen.de", "https://munchen.de/", false),
      ("example.com:443", "https://example.com/a", true),
      ("example.com:444", "https://example.com/a", false),
      ("[::1]", "https://[::1]/", true), ("[::1]:80", "https://[::1]:80/", true),
    ]) func `a domain contains a URL's host`(name: String, url: String, expected: Bool) throws
  {
    let domain = try #require(Domain(name))
    let bytes = Array(url.utf8)
    let parts = try URLParts(bytes.span)
    let contains = domain.contains(parts, of: bytes.span)
    #expect(contains == expected)
  }

  @Test(arguments: ["", "*.", "a:b", ":80"]) func `anything but a domain`(name: String) {
    #expect(Domain(name) == nil)
  }
}
