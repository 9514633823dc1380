import Diagnostics
import Testing

@testable import Checking

@Suite struct OutsideReporterTests {
  private static func outcome(
    _ origin: OriginState, reaches: Bool? = nil
  ) -> WatchOutcome {
    WatchOutcome(
      time: 0, reachedAnything: reaches ?? (origin != .unknown), origin: origin, copy: .unknown,
      age: nil, fault: "f")
  }

  private static func domain(after before: OriginState?) -> WatchedDomain {
    WatchedDomain(
      name: "a.example", host: "a.example", association: nil, assetLinks: nil, version: 1,
      wasFailing: before == .failing)
  }

  @Test func `each change is reported once, and so is each time without a network`() {
    var reporter = OutsideReporter()
    var before: OriginState?
    let origins: [OriginState] = [
      .good, .failing, .failing, .good, .good, .unknown, .unknown, .good, .unknown, .failing,
    ]
    let news = origins.map { origin -> String in
      defer { before = origin }
      switch reporter.news(Self.outcome(origin), of: Self.domain(after: before)) {
      case .failure(let diagnostic)?: return diagnostic.code
      case .recovery?: return "again"
      case nil: return "-"
      }
    }
    #expect(news == ["-", "H051", "-", "again", "-", "H050", "-", "-", "H050", "H051"])
  }

  @Test func `a name that leads into this network is no news, and no sign of a missing network`() {
    var reporter = OutsideReporter()
    let domain = Self.domain(after: nil)
    #expect(reporter.news(Self.outcome(.unknown, reaches: true), of: domain) == nil)
    #expect(reporter.news(Self.outcome(.unknown), of: domain) != nil)
  }
}
