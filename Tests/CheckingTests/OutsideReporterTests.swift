import Catalog
import Diagnostics
import Settings
import Testing

@testable import Checking

@Suite struct OutsideReporterTests {
  private static func check(_ origin: OutsideCheck.Origin) -> OutsideCheck {
    OutsideCheck(time: 0, version: 1, origin: origin, copy: .unknown, age: nil, fault: "f")
  }

  @Test func `each change is reported once, and so is each time without a network`() {
    var reporter = OutsideReporter()
    var before: OutsideCheck?
    let origins: [OutsideCheck.Origin] = [
      .good, .failing, .failing, .good, .good, .unknown, .unknown, .good, .unknown, .failing,
    ]
    let news = origins.map { origin -> String in
      let check = Self.check(origin)
      defer { before = check }
      switch reporter.news(check, after: before, of: .host("a.example")) {
      case .failure(let diagnostic)?: return diagnostic.code
      case .recovery?: return "again"
      case nil: return "-"
      }
    }
    #expect(news == ["-", "H051", "-", "again", "-", "H050", "-", "-", "H050", "H051"])
  }
}
