import TestRunning
import Testing

@testable import Checking

/// Reports on a link: its host, its rules, where it leads, and what a person without the app gets.
@Suite struct LinkTests {
  private static let file =
    #"{"applinks":{"details":[{"appIDs":["\#(shop)"],"components":[{"/":"/buy/*"}]}]},"#
    + #""webcredentials":{"apps":["\#(shop)"]}}"#
  private static let served =
    "example.com: the association file is served as Apple asks; Apple's CDN was not asked"
  private static let hosts = [
    "example.com", "www.example.com", "auth.example.com", "xn--bcher-kva.example",
  ]

  private static let world: CheckWorld = {
    var world = CheckWorld()
    for name in hosts { world.set(name, to: "1.0.0.1") }
    world.lead(
      "1.0.0.1", to: CheckServer(CheckCertificate(names: hosts), CheckServer.serving(file)))
    return world
  }()

  private func check(_ domain: String, url: String, exitCode: Int32) throws -> String {
    var options = CheckWorld.Options()
    options.requirements.urls = [url]
    return try Self.world.check(domain, exitCode: exitCode, options)
  }

  // MARK: Forms

  @Test(arguments: [
    ("example.com", "https://example.com./nope"), ("example.com", "https://EXAMPLE.com:443/nope"),
    ("xn--bcher-kva.example", "https://b\u{FC}cher.example/nope"),
    ("xn--bcher-kva.example", "https://B\u{DC}CHER.example/nope"),
  ])
  func `a URL is judged in each form of its host`(host: String, url: String) throws {
    try check(host, url: url, exitCode: 1).says(
      "the file does not permit \(url) to open any app [F071]")
    try check(host, url: url.replacing("nope", with: "buy/1"), exitCode: 0).says(
      "buy/1 opens an app")
  }

  @Test(arguments: [
    " https://example.com/nope", "https://example.com/nope\n", "<https://example.com/nope>",
    "\u{201C}https://example.com/nope\u{201D}",
  ])
  func `a pasted link may have marks around it`(link: String) throws {
    try Self.world.check(link, exitCode: 1).says(
      "the file does not permit /nope to open any app [F071]")
  }

  @Test func `a link is its host, its rules, and where it leads`() throws {
    let world = CheckWorld(
      CheckServer {
        path(of: $0) == "/buy/42"
          ? .redirect(to: "https://shop.example.org/42") : CheckServer.good($0)
      })
    try world.check("https://example.com/buy/42", exitCode: 0).says(
      .start(Self.served + "\n"), "/buy/42 opens an app",
      .part(
        "note: the link redirects to shop.example.org, but only the file of example.com can make "
          + "the link open an app"),
      "[F056]", "\nthis check cannot see three things: whether the app was reinstalled")
    try world.check("https://example.com/sell/42", exitCode: 1).says(
      .start(
        "example.com: the file is served, but is not what you expect: the file does not permit"))
  }

  @Test func `a link that redirects within its host is no other link`() throws {
    try CheckWorld(
      CheckServer {
        path(of: $0) == "/buy/42"
          ? .redirect(to: "https://example.com/login") : CheckServer.good($0)
      }
    ).check("https://example.com/buy/42", exitCode: 0).says("[F133]", .lacks("[F056]"))
  }

  // MARK: The hosts of an app

  private func check(
    _ link: String, _ entries: String, urls: [String] = [], exitCode: Int32
  ) throws -> String {
    try Self.world.check(link, entitlements: entries, urls: urls, exitCode: exitCode)
  }

  @Test func `a link of a host that the app does not name is an error`() throws {
    let link = "https://example.com/buy/42"
    try check(
      link, entitlements("applinks:example.com?mode=developer"), exitCode: 0
    ).says(.lacks("F113"))
    let passwords = entitlements("webcredentials:example.com")
    for text in [
      try check(link, passwords, exitCode: 1),
      try check("example.com", passwords, urls: [link], exitCode: 1),
    ] {
      text.says(
        .part(
          "the app does not list example.com, so no link to it opens the app [F113]\n"
            + "  help: add applinks:example.com"))
    }
    let filled = entitlements("webcredentials:example.com", "applinks:$(DOMAIN)")
    #expect(
      try check(link, filled, exitCode: 0).contains("warning: the app does not list example.com"))
  }

  @Test func `a wildcard of the app names the hosts below it`() throws {
    try check(
      "https://www.example.com/buy/42", entitlements("applinks:*.example.com"), exitCode: 0
    ).says(.lacks("F113"))
  }

  @Test func `a domain and a link of it are one check`() throws {
    try check(
      "https://example.com/buy/1", entitlements("applinks:example.com"), exitCode: 0
    ).says(.start("example.com: the association file is served"), "also:\n  /buy/1 opens an app")
  }

  @Test func `a path opens no app that does not name the domain`() throws {
    for entries in [
      entitlements("applinks:www.example.com"), entitlements("webcredentials:example.com"),
    ] {
      try check("example.com", entries, urls: ["/buy/1"], exitCode: 1).says(
        "the app does not list example.com")
    }
    let both = entitlements("applinks:example.com", "webcredentials:auth.example.com")
    #expect(try !check("example.com", both, urls: ["/buy/1"], exitCode: 0).contains("F113"))
    // A domain for passwords alone has no paths.
    let nope = try Self.world.check(entitlements: both, urls: ["/nope"], exitCode: 1)
    #expect(nope.components("[F071]") == 1, "\(nope)")
  }

  // MARK: Entries

  @Test(arguments: [
    ("applinks:*", "list each host, or all subdomains of a host: applinks:*.example.com"),
    ("applinks:www.*.com", "list each host, or all subdomains of a host: applinks:*.example.com"),
    ("applinks:*.com", "list each host, or all subdomains of a host: applinks:*.example.com"),
    ("applinks:applinks:example.com", "write applinks:example.com:"),
    ("applinks=example.com", "write the service before the domain: applinks:example.com"),
    ("applinks", "write the service before the domain: applinks:example.com"),
    ("applinks:21.0.0.1", "write the domain of the server: applinks:example.com"),
  ])
  func `the cure of an entry is not the entry`(entry: String, help: String) throws {
    try Self.world.check(entitlements: entitlements(entry), exitCode: 1).says("  help: \(help)")
  }

  @Test func `mistakes in entries are named`() throws {
    let text = try Self.world.check(
      entitlements: entitlements(
        "applinks:example.com", "https://example.com/", "applink:example.com",
        "applinks:https://example.com/buy", "applinks:example.com?mode=debug",
        "appclips:*.example.com", "applinks:example.com"), exitCode: 1)
    for code in ["F080", "F081", "F082", "F083", "F084", "F085"] {
      #expect(text.contains("[\(code)]"), "\(code): \(text)")
    }
    text.says("did you mean applinks?", "write applinks:example.com")
  }

  @Test func `entitlements of another form, or with nothing`() throws {
    try Self.world.check(
      entitlements: entitlements(value: "<string>applinks:example.com</string>"), exitCode: 1
    ).says(
      "the value of the associated domains is the text applinks:example.com instead of an array",
      "write <array><string>applinks:example.com</string></array>")
    try Self.world.check(entitlements: entitlements(), exitCode: 1).says("[F086]")
    try Self.world.check(
      entitlements: entitlements("applinks:$(DOMAIN)"), exitCode: 0
    ).says("applinks:$(DOMAIN) was not checked, because only the build knows")
    for form in ["$(DOMAIN)", "${DOMAIN}"] {
      try Self.world.check(
        entitlements: entitlements("applinks:" + form), variables: ["DOMAIN": "example.com"],
        exitCode: 0
      ).says(.start(Self.served))
    }
  }

  @Test func `a build that was signed again names no domain`() throws {
    for value in ["<string>*</string>", "<array><string>*</string></array>"] {
      try Self.world.check(entitlements: entitlements(value: value), exitCode: 1).says(
        "signing copied the entitlements of the provisioning profile", "[F115]", .lacks("[F080]"),
        .lacks("[F086]"), "  help: sign with the app's own entitlements")
    }
    try Self.world.check(
      entitlements: entitlements(
        value: "<array><string>applinks:example.com</string></array>",
        more: "<key>com.apple.developer.web-browser</key><true/>"), exitCode: 0
    ).says("the app is a web browser", "F116")
  }

  // MARK: Without the app

  /// The answer at the link, and the note with its help.
  private static let links: [(answer: CheckServer.Answer, note: String)] = [
    (
      .answer(type: "text/html", "<meta name=\"apple-itunes-app\" content=\"app-id=1\">"),
      "the link shows a page on which Safari offers the app in a banner [F133]\n"
        + "  help: nothing needs to be done"
    ),
    (
      .answer(type: "text/html; charset=utf-8", "<p>Shop"),
      "the link shows a page on which Safari does not offer the app [F133]\n"
        + "  help: if it should, put <meta name=\"apple-itunes-app\""
    ),
    (
      .redirect(to: "https://apps.apple.com/app/id1"),
      "the link leads to the App Store [F133]\n  help: nothing needs to be done"
    ),
    (
      .redirect(to: "https://play.google.com/store/apps/details?id=a.b"),
      "the link leads to Google Play [F133]\n  help: nothing needs to be done"
    ),
    (
      .redirect(to: "/login"),
      "the link leads to /login [F133]\n  help: check that this page leads to the app"
    ),
    (
      .answer("404 Not Found", "no"),
      "the page of the link is not found (404) [F133]\n  help: at the link, serve a page"
    ),
    (
      .answer("{}"),
      "the link shows content of the type application/json [F133]\n  help: at the link, serve a"
    ),
    (
      .answer("503 Service Unavailable", "no"),
      "the server answers the link with status 503 [F133]\n  help: at the link, serve a page"
    ),
  ]

  @Test(arguments: links.indices)
  func `a note says what a person without the app gets`(index: Int) throws {
    let (answer, note) = Self.links[index]
    try CheckWorld.plain(exitCode: 0, path: "/buy/42") {
      path(of: $0) == "/buy/42" ? answer : .answer(Self.file)
    }.says(.part("note: without the app, " + note))
  }

  @Test func `without a link there is no such note`() throws {
    try #expect(!CheckWorld.plain(exitCode: 0) { _ in .answer(Self.file) }.contains("F133"))
  }
}

extension String {
  /// The number of occurrences.
  func components(_ part: String) -> Int { split(separator: part).count - 1 }
}
