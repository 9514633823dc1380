import Testing

@testable import Checking

@Suite struct HostOfURLTests {
  @Test(
    arguments: [
      ("https://Bücher.example/a", "xn--bcher-kva.example"),
      ("https://example.com./a", "example.com"),
      ("HTTPS://EXAMPLE.COM:443/a", "example.com"), ("//example.com/a", "example.com"),
      ("/a", nil), ("?a", nil),
    ] as [(String, String?)])
  func `the host of a URL has the form of DNS`(url: String, host: String?) {
    #expect(hostOfURL(url) == host)
  }
}
