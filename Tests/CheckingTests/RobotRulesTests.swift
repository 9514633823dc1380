import Testing

@testable import Checking

@Suite struct RobotRulesTests {
  private static func permits(_ text: String, _ path: String = "/.well-known/assetlinks.json")
    -> Bool
  {
    RobotRules(Array(text.utf8), for: "googlebot").permits(path)
  }

  @Test(arguments: [
    ("", true), ("User-agent: *\nDisallow:", true), ("User-agent: *\nDisallow: /", false),
    ("user-AGENT : * # all\r\n disallow : /.well-known/ # secret\r\n", false),
    ("User-agent: *\nDisallow: /admin/", true),
    ("User-agent: *\nDisallow: /\nAllow: /.well-known/", true),
    ("User-agent: *\nAllow: /\nDisallow: /.well-known/", false),
    ("User-agent: *\nDisallow: /.well-known/\nAllow: /.well-known/", true),
    // A group for the robot itself counts alone.
    ("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow: /a", true),
    ("User-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nAllow: /", false),
    // A rule without a path allows everything, and is a group nevertheless.
    ("User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nDisallow:", true),
    ("User-agent: Googlebot\nDisallow:\n\nUser-agent: *\nDisallow: /", true),
    ("User-agent: Googlebot-Image\nDisallow: /", true),
    ("User-agent: other\nUser-agent: googlebot\nDisallow: /", false),
    ("User-agent: googlebot\nCrawl-delay: 1\nUser-agent: other\nDisallow: /", false),
    ("User-agent: *\nDisallow: /*.json", false), ("User-agent: *\nDisallow: /*.json$", false),
    ("User-agent: *\nDisallow: /*.js$", true), ("User-agent: *\nDisallow: /.well-known$", true),
    ("User-agent: *\nDisallow: *links", false), ("Disallow: /", true), ("<html>: a", true),
  ])
  func `a robot may have the file, or may not`(text: String, may: Bool) {
    #expect(Self.permits(text) == may)
  }

  @Test func `garbage and what follows the limit are ignored`() {
    let rest = "User-agent: *\nDisallow: /"
    let space = String(repeating: "\n", count: RobotRules.bytes - rest.utf8.count)
    #expect(!Self.permits(space + rest))
    #expect(Self.permits(space + "\n" + rest))
    #expect(RobotRules([0, 0xFF, 0x3A, 0x0A, 0x3A], for: "googlebot").permits("/"))
  }
}
