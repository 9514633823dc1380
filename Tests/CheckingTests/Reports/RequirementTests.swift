import Diagnostics
import DigitalAssetLinks
import Rules
import TestRunning
import Testing

@testable import Checking

/// Reports on requirements beyond the file itself, and the help of the service that answers.
@Suite struct RequirementTests {
  private static let good = shopFile(
    components: #"[{"/":"/buy/*"},{"/":"/old/*","exclude":true}]"#)

  private static func text(_ text: String, named name: String) -> SourceText {
    SourceText(path: name, bytes: Array(text.utf8))
  }

  private func check(
    _ requirements: Requirements, exitCode: Int32, at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    var options = CheckWorld.Options()
    options.requirements = requirements
    return try CheckWorld.http { _ in .answer(Self.good) }
      .check(CheckWorld.url, exitCode: exitCode, options, at: location).normalized
  }

  @Test func `an app that the file must name`() throws {
    try check(Requirements(apps: [shop]), exitCode: 0).says("\nalso:\n  applinks names \(shop)\n")
    let other = try check(Requirements(apps: ["AAAAAAAAAA.org.swift.shop"]), exitCode: 1)
    try expectKept(other, as: "F070")
  }

  @Test func `an app may be named under another service`() throws {
    let file = #"{"webcredentials":{"apps":["\#(shop)"]}}"#
    var options = CheckWorld.Options()
    options.requirements.apps = [shop]
    try CheckWorld(CheckServer(CheckServer.serving(file))).check(exitCode: 0, options).says(
      "webcredentials names \(shop)")
  }

  @Test func `URLs that must open it`() throws {
    let text = try check(Requirements(urls: ["/buy/1", "/old/1"]), exitCode: 1)
    try expectKept(text, as: "F071")
  }

  @Test func `expectations that the file must meet`() throws {
    var requirements = Requirements()
    requirements.cases = [
      CaseFile(Self.text("/buy/1 opens \(shop)\n/old/1 browser\n", named: "shop.cases"))
    ]
    try expectKept(check(requirements, exitCode: 1), as: "F072")
    requirements.cases = [CaseFile(Self.text("/buy/1 opens \(shop)\n", named: "shop.cases"))]
    try check(requirements, exitCode: 0).says("\nalso:\n  shop.cases: 1 expectation is met\n")
    requirements.cases = [CaseFile(Self.text("https://a.example/ browser\n", named: "a.cases"))]
    #expect(try !check(requirements, exitCode: 0).contains("a.cases"))
  }

  @Test func `the served file must be equivalent to the given one`() throws {
    func found(_ file: String, exitCode: Int32) throws -> String {
      var requirements = Requirements()
      requirements.file = associationDocument(Array(file.utf8), named: "given.json")
      return try check(requirements, exitCode: exitCode)
    }
    try found(" " + Self.good, exitCode: 0).says("the file is equivalent to given.json")
    try found(shopFile(components: #"[{"/":"/sell/*"}]"#), exitCode: 1).says(
      "the file differs in meaning from given.json [F074]")
  }

  @Test func `a service that entitlements name has an app`() throws {
    let text = try CheckWorld(CheckServer()).check(
      entitlements: entitlements("webcredentials:example.com"), exitCode: 1)
    try expectKept(text.normalized, as: "F073")
    let none = try CheckWorld().check(
      entitlements:
        "<plist version=\"1.0\"><dict><key>application-identifier</key><string>\(shop)</string>"
        + "</dict></plist>", exitCode: 1)
    try expectKept(none, as: "F086")
  }

  @Test func `a bad line of a list is a finding`() throws {
    let line = try #require(domains(in: Array("\na..b\n".utf8), named: "list").first)
    let fault = UsageFault("a..b is not a host")
    let checked = try #require(CheckedSubject(line, fault, VerdictPolicy()))
    checked.text.says(.start("list:2: a..b is not a host [F090]\n"))
    #expect(checked.text.contains("[F090]") && checked.exitCode == 1)
  }

  // MARK: Android's file

  private func compare(
    _ answer: CheckServer.Answer, with file: String, named name: String, exitCode: Int32
  ) throws -> String {
    var options = CheckWorld.Options()
    options.requirements.assetLinks = AssetLinksFile(Self.text(file, named: name))
    let script = CheckServer.serving(
      shopFile(components: #"[{"/":"/buy/*"}]"#), ["assetlinks.json": answer])
    return try CheckWorld(CheckServer(script)).check(exitCode: exitCode, options)
  }

  @Test func `the served assetlinks.json must be equivalent to the given one`() throws {
    let buy = statements("org.swift.shop", rules: #"[{"/": "/buy/*"}]"#)
    let answer = CheckServer.Answer.answer(type: "application/json; charset=utf-8", buy)
    let same = try compare(answer, with: " " + buy, named: "same.json", exitCode: 0)
    same.says("assetlinks.json is equivalent to same.json", .lacks("[F058]"))
    let sell = statements("org.swift.shop", rules: #"[{"/": "/sell/*"}]"#)
    let other = try compare(answer, with: sell, named: "other.json", exitCode: 1)
    other.says(
      "assetlinks.json differs in meaning from other.json [F106]",
      "org.swift.shop: opens → browser, for example ")
    try compare(
      answer, with: statements("org.swift.other"), named: "gone.json", exitCode: 1
    ).says("gone: delegate_permission/common.handle_all_urls org.swift.other 5E:8F:")
    try compare(
      .answer("404 Not Found", "no"), with: buy, named: "same.json", exitCode: 1
    ).says("assetlinks.json is not served (status 404), but same.json is expected")
  }

  // MARK: Hosting services

  private static let services: [(field: String, answer: String, help: String)] = [
    ("Server: GitHub.com", "missing", "add an empty file .nojekyll"),
    ("Server: Microsoft-IIS/10.0", "missing", "add a mimeMap with fileExtension=\".\""),
    ("Server: Kestrel", "missing", "serve the path with MapGet"),
    ("Server: AmazonS3", "missing", "make a copy whose name ends in .json"),
    ("Server: Netlify", "missing", "check that the build copies .well-known"),
    ("Server: Squarespace", "missing", "use a separate subdomain for the links"),
    ("Server: Vercel", "redirect", "under Settings > Domains, serve both"),
    ("Server: Netlify", "redirect", "redirects to the site's primary domain before it"),
    ("Server: AmazonS3", "page", "CloudFront's custom error response"),
    ("Powered-By: Shopify", "file", "Shopify writes this file itself"),
    ("Server: other", "missing", "files without an extension"),
    ("Server: other", "redirect", "exempt them from the redirect rule"),
  ]

  @Test(arguments: services.indices)
  func `the help is that of the service which answers`(index: Int) throws {
    let (field, answer, help) = Self.services[index]
    var options = CheckWorld.Options()
    options.requirements.apps = ["K27TX9P4QD.org.other"]
    try CheckWorld.plain(exitCode: 1, options) { _ in
      switch answer {
      case "missing": .answer("404 Not Found", type: "text/html", fields: [field], "no")
      case "redirect":
        .answer("308 Permanent Redirect", fields: [field, "Location: https://www.a.example/x"], "")
      case "page": .answer(type: "text/html", fields: [field], "<html><div id=\"root\">")
      default: .answer(fields: [field], Self.good)
      }
    }.says(.part(help))
  }
}
