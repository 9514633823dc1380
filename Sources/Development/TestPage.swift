internal import Bytes
internal import Server
internal import TLS

/// The facts that a test page shows about the requested URL. The page shows no other facts about
/// this machine.
struct TestPageFacts: Sendable {
  /// The requested URL, and its host.
  var url: String
  var host: String
  /// The effect of the URL according to the served rules.
  var sentence: String
  /// The apps that the URL opens.
  var opens: [String]
  /// The rule that lets the URL open an app; nil if the URL opens no app.
  var rule: String?
  /// Why phones cannot get the file; nil if no problem is known.
  var problem: String?
  /// The entry to add to the app's entitlements.
  var entitlement: String?
  /// The last fetch of the file by a device, as a sentence; nil if no device has fetched the file.
  var fetch: String?
  /// Whether the fetch in `fetch` got the current version.
  var isFetchCurrent = false
  /// Links to tap, each with the app that it opens.
  var links: [(url: String, opens: String?)]
  /// The app's ID for the Smart App Banner: the digits after `id` in App Store addresses.
  var appStoreID: String?
  /// The URL that the Smart App Banner passes to the app.
  var appArgument: String?
  /// The QR code as SVG. Only this value is not escaped, because this program's own encoder made
  /// it.
  var qrSVG: String?
  /// Whether the rules on the page are those of the current file.
  var fileIsServed: Bool
}

extension DevPages {
  /// Returns the test page as a complete HTML document. It contains no script, and all untrusted
  /// text is escaped.
  static func testPage(_ facts: TestPageFacts) -> [UInt8] {
    var page = ""
    var rest = testTemplate[...]
    // Replace the placeholders in one pass from left to right, so that inserted text is not
    // searched for placeholders.
    while let open = rest.firstIndex(of: "{") {
      page += rest[..<open]
      rest = rest[open...]
      guard rest.hasPrefix("{{"), let close = rest.firstIndex(of: "}") else {
        page.append("{")
        rest = rest.dropFirst()
        continue
      }
      page += content(of: rest[open..<close].dropFirst(2), facts)
      rest = rest[close...].dropFirst(2)
    }
    return Array((page + rest).utf8)
  }

  /// The page's Content-Security-Policy. The policy allows only one style, the page's own, and
  /// identifies this style by a hash.
  static let testPagePolicy: String = {
    let digest = Base64.encode(Digest.sha256(Array(testStyle.utf8).span))
    return "default-src 'none'; style-src 'sha256-\(digest)'; img-src data:; base-uri 'none'; "
      + "form-action 'none'; frame-ancestors 'none'"
  }()

  private static let testStyle = PageStyle.common + ownTestStyle

  private static func content(of mark: Substring, _ facts: TestPageFacts) -> String {
    switch mark {
    case "title": pageText("\(headline(facts)) · \(facts.host)")
    case "banner": banner(facts)
    case "style": testStyle
    case "headline": pageText(headline(facts))
    case "url": pageText(facts.url)
    case "notes": notes(facts)
    case "why": why(facts)
    case "checks": checks(facts)
    case "links": links(facts.links)
    case "qr": facts.qrSVG.map { figure($0) } ?? ""
    default: ""
    }
  }

  /// Returns the headline of the page. The headline says whether the URL should have opened an app.
  private static func headline(_ facts: TestPageFacts) -> String {
    if facts.opens.isEmpty { return facts.sentence }
    return "this link should have opened \(facts.opens.joined(separator: " and ")), but did not"
  }

  private static func why(_ facts: TestPageFacts) -> String {
    var text = facts.opens.isEmpty ? "" : "<p class=\"rule\">\(pageText(facts.sentence))</p>\n"
    if let rule = facts.rule { text += "<p class=\"rule\"><code>\(pageText(rule))</code></p>\n" }
    return text
  }

  /// Returns possible reasons why the app did not open, most likely first. A phone shows this page
  /// only if the app did not open.
  private static func checks(_ facts: TestPageFacts) -> String {
    if facts.opens.isEmpty { return "<p class=\"note\">\(tapping)</p>\n" }
    let fetch =
      facts.fetch.map { (facts.isFetchCurrent ? "✓ " : "✗ ") + pageText($0) }
      ?? "✗ No device has fetched the file since aasa dev was started. Run the app from Xcode again."
    let entitlement =
      facts.entitlement.map { "has <code>\(pageText($0))</code>" } ?? "lists this host"
    let items = [
      fetch,
      "The app on this phone was run from Xcode, and under Associated Domains it \(entitlement).",
      "Settings &gt; Developer &gt; Universal Links &gt; Associated Domains Development is on.",
      tapping,
      "You did not choose Safari for this host before. If you did, hold the link and choose to open "
        + "it in the app.",
    ]
    return
      "<h2>You see this page because the app did not open</h2>\n<p>Check in this order:</p>\n<ol>\n"
      + items.map { "<li>\($0)</li>\n" }.joined() + "</ol>\n"
  }

  private static let tapping =
    "A typed address never opens an app, and in Safari a link to the host of the current page "
    + "stays in Safari: tap the link in Messages or Notes, or scan its QR code with the camera."

  private static func notes(_ facts: TestPageFacts) -> String {
    var note = facts.problem
    if note == nil, !facts.fileIsServed {
      note = "the current file has an error: these are the rules of its last valid version"
    }
    return note.map { "<p class=\"problem\">\(pageText($0))</p>\n" } ?? ""
  }

  private static func links(_ links: [(url: String, opens: String?)]) -> String {
    if links.isEmpty { return "<p>There are none yet.</p>" }
    let items = links.map { link in
      let text = pageText(link.url)
      let does = link.opens.map { "opens \(pageText($0))" } ?? "opens no app"
      let name = isWebAddress(link.url) ? "<a href=\"\(text)\">\(text)</a>" : text
      return "<li>\(name)<small>\(does)</small></li>"
    }
    return "<ul>\n\(items.joined(separator: "\n"))\n</ul>"
  }

  /// Whether a URL has the scheme `http` or `https`. A URL with another scheme could run a script
  /// when tapped.
  private static func isWebAddress(_ url: String) -> Bool {
    let scheme = url.prefix { $0 != ":" }.lowercased()
    return (scheme == "https" || scheme == "http") && url.dropFirst(scheme.count).hasPrefix("://")
  }

  private static func figure(_ svg: String) -> String {
    "<figure>\(svg)<figcaption>QR code of this URL, for the camera of a phone</figcaption></figure>"
  }

  /// Returns the `<meta>` element for Safari's Smart App Banner. Commas separate the parts of its
  /// content.
  private static func banner(_ facts: TestPageFacts) -> String {
    guard let identifier = facts.appStoreID, identifier.isDecimal else { return "" }
    var content = "app-id=\(identifier)"
    if let argument = facts.appArgument {
      content +=
        ", app-argument="
        + argument.split(separator: ",", omittingEmptySubsequences: false)
        .joined(separator: "%2C")
    }
    return "<meta name=\"apple-itunes-app\" content=\"\(pageText(content))\">\n"
  }

}
