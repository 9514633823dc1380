import Rules
import Testing

@testable import Checking

/// Reports on a host to which this machine has no route, while Apple's CDN has its file.
@Suite struct UnreachedHostTests {
  private static let file = shopFile(components: #"[{"/":"/buy/*"}]"#)
  private static let unknown = "example.com: could not be checked: this machine has no route"
  private static let wrong = "example.com: what devices get is not what you expect: "

  private func check(
    _ domain: String = "example.com", _ requirements: Requirements = Requirements(),
    copy: CheckServer.Answer = .answer(file), ignoring codes: Set<String> = [], exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    var options = CheckWorld.Options()
    options.requirements = requirements
    options.policy.ignored = codes
    options.cdn = .plain { _ in copy }
    return try CheckWorld(("2001:4860::1", nil)).check(
      domain, exitCode: exitCode, options, at: location)
  }

  @Test func `what the copy meets is said, and the host stays unknown`() throws {
    let text = try check(
      "https://example.com/buy/42", Requirements(apps: [shop], urls: ["/buy/1"]), exitCode: 4)
    #expect(text.hasPrefix(Self.unknown), "\(text)")
    for words in ["applinks names \(shop)", "/buy/42 opens \(shop)", "/buy/1 opens \(shop)"] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
  }

  @Test func `what the copy does not meet is an error`() throws {
    let link = try check("https://example.com/sell/42", exitCode: 1)
    #expect(
      link.hasPrefix(
        Self.wrong + "the file does not permit /sell/42 to open any app [F071], and 1 more\n"),
      "\(link)")
    #expect(link.contains("[F071]") && link.contains("[F008]"), "\(link)")
    let app = try check(
      requirements: Requirements(apps: ["authsrv:\(shop)"]), exitCode: 1)
    #expect(
      app.hasPrefix(
        Self.wrong + "the file does not list \(shop) under authsrv [F070], and 1 more\n"),
      "\(app)")
    var requirements = Requirements()
    requirements.file = associationDocument(
      Array(shopFile(components: #"[{"/":"/sell/*"}]"#).utf8), named: "site.json")
    let other = try check(requirements: requirements, exitCode: 1)
    #expect(other.hasPrefix(Self.wrong + "the file differs in meaning from site.json"), "\(other)")
    let ignored = try check(requirements: requirements, ignoring: ["F074"], exitCode: 4)
    #expect(ignored.hasPrefix(Self.unknown), "\(ignored)")
  }

  @Test(arguments: [
    CheckServer.Answer.answer("404 Not Found", ""), .answer(type: "text/html", "<html>sign in"),
    .answer("{"), .answer("503 Service Unavailable", ""),
  ])
  func `a copy that is a failure or a page decides nothing`(copy: CheckServer.Answer) throws {
    let text = try check("https://example.com/sell/42", copy: copy, exitCode: 4)
    #expect(text.hasPrefix("example.com: could not be checked: "), "\(text)")
    #expect(!text.contains("[F071]"), "\(text)")
  }

  @Test func `devices in developer mode do not get the copy`() throws {
    let text = try check("applinks:example.com?mode=developer", exitCode: 4)
    #expect(!text.contains("names"), "\(text)")
  }

  private func check(
    requirements: Requirements, ignoring codes: Set<String> = [], exitCode: Int32,
    at location: SourceLocation = #_sourceLocation
  ) throws -> String {
    try check("example.com", requirements, ignoring: codes, exitCode: exitCode, at: location)
  }
}
