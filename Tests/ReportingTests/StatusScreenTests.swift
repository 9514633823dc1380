import Catalog
import Diagnostics
import Server
import Settings
import TestRunning
import Testing

@testable import Keeping
@testable import Reporting

/// What `aasa status` shows on a terminal of 80 columns, and in the other formats.
@Suite struct StatusScreenTests {
  private static let now: Int64 = 1_780_272_000

  private static func served(_ name: String) -> Site {
    let maker = ContentMaker(cacheControl: "max-age=60")
    let content = maker.content(
      of: Array(#"{"applinks":{}}"#.utf8), kind: .file(WellKnownFiles.association))
    let file = ServedFile(content: content, lastModified: now - 90_000)
    return Site(
      name: DomainName(entryName: name) ?? .any, answers: [.served(file)], now: now - 90_000)
  }

  private static let catalog = Catalog(
    sites: [
      served("a.example"), served("links.customer.example"),
      Site(name: .host("broken.example"), answers: [.unavailable], now: now),
    ], material: nil)

  /// - Parameter isFaulty: Whether a file has an error, and the domains folder is withheld.
  private func answer(_ query: String, isFaulty: Bool = true) -> String {
    var status = HostingStatus()
    status.isLoaded = true
    status.folder = "domains"
    status.catalog =
      isFaulty
      ? Self.catalog : Catalog(sites: [Self.served("a.example")], material: nil)
    status.reloads.note(failed: isFaulty, isFirst: true, now: Self.now - 60)
    if isFaulty {
      let fault = Diagnostic(
        .needsAttention, severity: .error,
        "the object is not closed: there is no `}` that ends what begins here",
        at: .init(
          path: "domains/broken.example.json", place: .init(range: 0..<1, line: 1, column: 1)))
      status.problems[.host("broken.example")] = Problem(
        diagnostics: [fault], omitted: 0, isLastGood: false, hasErrors: true)
    }
    let document = StatusDocument(
      status: status, obstacles: [], lastFetch: { _ in nil }, checks: nil, board: nil,
      started: Self.now - 7_200, now: Self.now, settingsFault: nil, connectionLimit: nil,
      acmeState: nil)
    let request = PageRequest(
      path: "/status", query: query, fields: [("Host", "127.0.0.1:12272")])
    return String(decoding: document.answer(to: request).body, as: UTF8.self)
  }

  @Test func `status`() throws {
    try expectScreen(answer("format=text", isFaulty: false), "status-good")
    try expectScreen(answer("format=text"), "status-faulty")
    try expectScreen(answer("format=text&domain=a.example"), "status-domain")
  }

  @Test func `status in the formats of build servers`() {
    let junit = answer("format=junit")
    #expect(junit.contains(#"<testsuites tests="4" failures="2" errors="0">"#), "\(junit)")
    #expect(junit.contains(#"<testcase classname="aasa" name="a.example"/>"#), "\(junit)")
    #expect(answer("format=junit", isFaulty: false).contains(#"tests="2" failures="0""#))
    #expect(answer("format=markdown").contains("| ✅ a.example | served |\n"))
    #expect(answer("format=sarif").contains("\"ruleId\":\"H059\""))
    #expect(answer("format=github").contains("::error title=H059::broken.example: the object"))
    #expect(answer("format=github&domain=a.example").isEmpty)
    #expect(answer("format=github&domain=none.example").contains("::error title=H059::"))
    #expect(answer("format=pdf").contains("format is text, json, junit"))
  }
}
