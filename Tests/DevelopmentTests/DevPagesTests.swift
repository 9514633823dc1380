import Foundation
import Testing

@testable import Development

/// The pages of `aasa dev`, as bytes; other tests show them in a browser.
@Suite struct DevPagesTests {
  private func page(_ change: (inout TestPageFacts) -> Void = { _ in }) -> String {
    var facts = TestPageFacts(
      url: "https://laptop.example.com/buy/1", host: "laptop.example.com",
      sentence: "opens A1B2C3D4E5.com.example.shop", opens: ["A1B2C3D4E5.com.example.shop"],
      rule: #"{"/":"/buy/*"}"#, problem: nil,
      entitlement: "applinks:laptop.example.com?mode=developer", links: [], appStoreID: nil,
      appArgument: nil,
      qrSVG: nil, fileIsServed: true)
    change(&facts)
    return String(decoding: DevPages.testPage(facts), as: UTF8.self)
  }

  @Test func `every file that a page names is there, and none is from elsewhere`() throws {
    let index = try #require(DevPages.asset("/"))
    #expect(index.contentType == "text/html; charset=utf-8")
    var waiting = ["/"]
    // Made when it is asked for.
    var seen = ["/requests.har": 0]
    while let path = waiting.popLast() {
      guard seen[path] == nil else { continue }
      let asset = try #require(DevPages.asset(path), "\(path)")
      let text = asset.text
      seen[path] = text.utf8.count
      #expect(!text.isEmpty)
      for pattern in [#"(?:src|href)="(/[^"]*)""#, #"from "(/[^"]*)""#] {
        let found = try NSRegularExpression(pattern: pattern)
          .matches(in: text, range: NSRange(text.startIndex..., in: text))
        waiting += found.compactMap { Range($0.range(at: 1), in: text).map { String(text[$0]) } }
      }
      let withoutNames = text.replacingOccurrences(of: "http://www.w3.org/2000/svg", with: "")
        .replacingOccurrences(of: "https://example.com", with: "")
        // A request to copy, for its own host.
        .replacingOccurrences(of: "https://${host}", with: "")
      for address in ["http://", "https://", "\"//", "@import", "url("] {
        #expect(!withoutNames.contains(address), "\(path) has \(address)")
      }
      #expect(!text.contains("innerHTML") && !text.contains("eval("), "\(path)")
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(path)")
    }
    #expect(seen.count == 11, "\(seen)")
    #expect(seen.values.reduce(0, +) < 66_000)
  }

  @Test func `any other path of the inspector has no file`() {
    for path in ["", "/inspector.html", "/test.html", "/test.css", "//", "/../x", "/events"] {
      #expect(DevPages.asset(path) == nil, "\(path)")
    }
  }

  /// Each part that comes from outside, with markup in it.
  @Test func `no part of the test page is markup but the code`() {
    let mark = #""><script>alert('1')</script>&{{style}}{"#
    let parts: [(inout TestPageFacts) -> Void] = [
      { $0.url = mark }, { $0.host = mark }, { $0.sentence = mark }, { $0.opens = [mark] },
      { $0.rule = mark }, { $0.problem = mark }, { $0.entitlement = mark },
      { $0.fetch = mark }, { $0.links = [(mark, mark)] },
      { $0.links = [("https://x/" + mark, nil)] }, { $0.appStoreID = mark },
      {
        $0.appStoreID = "1"
        $0.appArgument = mark
      },
    ]
    for change in parts {
      let text = page(change)
      #expect(!text.contains("<script") && !text.contains("'1'"), "\(text)")
      #expect(text.components(separatedBy: "<style>").count == 2)
      #expect(
        text.components(separatedBy: ":root").count == page().components(separatedBy: ":root").count
      )
      #expect(text.hasSuffix("</html>\n"))
    }
    #expect(page { $0.url = mark }.contains("&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)"))
    #expect(page { $0.url = mark }.contains("&amp;{{style}}{"))
  }

  /// URLs of links, and whether they can be tapped.
  private static let links: [(url: String, isLink: Bool)] = [
    ("https://laptop.example.com/buy/1", true), ("HTTP://laptop.example.com/", true),
    ("javascript:alert(1)", false), ("data:text/html,x", false), ("https:alert(1)", false),
    ("/buy/1", false), ("", false), (" https://x/", false),
  ]

  @Test func `only web addresses are links`() {
    for row in Self.links {
      let text = page { $0.links = [(row.url, nil)] }
      #expect(text.contains("<a href=\"\(row.url)\">") == row.isLink, "\(row.url)")
    }
  }

  @Test func `the banner has a number and a URL, with no comma of its own`() {
    let text = page {
      $0.appStoreID = "375380948"
      $0.appArgument = "https://laptop.example.com/a,b?c=\"d\""
    }
    #expect(
      text.contains(
        "<meta name=\"apple-itunes-app\" content=\"app-id=375380948, "
          + "app-argument=https://laptop.example.com/a%2Cb?c=&quot;d&quot;\">"))
    for identifier in ["", "id1", "1 2", "１"] {
      #expect(!page { $0.appStoreID = identifier }.contains("apple-itunes-app"), "\(identifier)")
    }
  }

  @Test func `invisible characters, and those that change the direction of text, are shown`() {
    let text = page {
      $0.opens = []
      $0.sentence = "a\u{202E}b\u{0}c\u{200B}d\u{85}e"
    }
    #expect(text.contains(#"<h1>a\u{202e}b\u{0}c\u{200b}d\u{85}e</h1>"#))
  }

  /// What is known of devices, and the first thing to check.
  @Test(arguments: [
    (nil, false, "<ol>\n<li>✗ No device has fetched the file"),
    ("14:03:22 a device fetched this version", true, "<ol>\n<li>✓ 14:03:22 a device fetched this"),
    ("14:03:22 a device fetched an older version: install the app again", false, "<li>✗ 14:03:22"),
  ]) func `it says why an app that should open did not`(
    fetch: String?, isCurrent: Bool, first: String
  ) {
    let text = page {
      $0.fetch = fetch
      $0.isFetchCurrent = isCurrent
    }
    #expect(text.contains("You see this page because the app did not open"))
    #expect(
      text.contains(
        "<h1>this link should have opened A1B2C3D4E5.com.example.shop, but did not</h1>"))
    #expect(text.contains(first))
    #expect(text.contains("<code>applinks:laptop.example.com?mode=developer</code>"))
    let other = page { $0.opens = [] }
    #expect(!other.contains("did not open") && other.contains("A typed address never opens an app"))
  }

  @Test func `the policy allows the page's own style and nothing else`() {
    let policy = DevPages.testPagePolicy
    #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
    #expect(!policy.contains("script-src") && !policy.contains("unsafe"))
  }

  @Test func `a file with errors and a problem of the tunnel are reported`() {
    #expect(page { $0.fileIsServed = false }.contains("last valid version"))
    #expect(page { $0.problem = "the tunnel answers 403" }.contains("the tunnel answers 403"))
    #expect(!page().contains("class=\"problem\""))
  }
}
