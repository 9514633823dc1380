import Testing

@testable import Diagnostics

/// Reports on a terminal.
@Suite struct ReportStyleTests {
  private static let report = """
    example.com: universal links will not work: the name example.com has no address

    error: neither the domain nor Apple's CDN can be reached: the name example.com has no address [F008]
      help: check this machine's network, its resolver and HTTPS_PROXY, or try another machine
      > GET /.well-known/apple-app-site-association HTTP/1.1 with a line that nobody may break in two
    """

  @Test func `at 80 columns lines break between words, and what a server sent does not`() {
    #expect(
      ReportStyle(width: 80, usesColor: false).styled(Self.report) == """
        example.com: universal links will not work: the name example.com has no address

        error: neither the domain nor Apple's CDN can be reached: the name example.com
          has no address [F008]
          help: check this machine's network, its resolver and HTTPS_PROXY, or try
            another machine
          > GET /.well-known/apple-app-site-association HTTP/1.1 with a line that nobody may break in two
        """)
  }

  @Test(arguments: [
    ("error: no", "\u{1B}[1;31merror\u{1B}[0m: no"),
    ("  help: do", "  \u{1B}[1mhelp\u{1B}[0m: do"),
    ("site.json:1:7: warning: so", "site.json:1:7: \u{1B}[1;33mwarning\u{1B}[0m: so"),
    ("my site.json: note: so", "my site.json: \u{1B}[1;36mnote\u{1B}[0m: so"),
    ("site.json has no error", "site.json has no error"),
    ("  a.shop: opens: so, by", "  a.shop: \u{1B}[1;32mopens\u{1B}[0m: so, by"),
    ("  a.shop: blocked: by", "  a.shop: \u{1B}[1;31mblocked\u{1B}[0m: by"),
    (
      "a.shop: browser → opens, for example /buy",
      "a.shop: \u{1B}[1;33mbrowser\u{1B}[0m → \u{1B}[1;32mopens\u{1B}[0m, for example /buy"
    ),
    ("the app opens: no", "the app opens: no"),
    ("  a:2:1: error: so [J018]", "  a:2:1: \u{1B}[1;31merror\u{1B}[0m: so [J018]"),
    ("a.example: links fail [F033]", "a.example: links fail \u{1B}[1;31m[F033]\u{1B}[0m"),
  ])
  func `severities and outcomes of links have a color`(line: String, shown: String) {
    #expect(ReportStyle(width: 80, usesColor: true).styled(line) == shown)
    #expect(ReportStyle(width: 80, usesColor: false).styled(line) == line)
  }

  @Test(arguments: [60, 80, 120]) func `colors change no line`(width: Int) {
    let plain = ReportStyle(width: width, usesColor: false).styled(Self.report)
    let colored = ReportStyle(width: width, usesColor: true).styled(Self.report)
    #expect(colored.contains("\u{1B}[1;31merror\u{1B}[0m: ") && !plain.contains("\u{1B}"))
    #expect(colored.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    let long = plain.split(separator: "\n").filter { $0.count > width }
    #expect(long.allSatisfy { $0.contains("> GET") })
  }
}
