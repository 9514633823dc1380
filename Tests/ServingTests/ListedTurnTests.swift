import Catalog
import Settings
import Testing

@testable import Serving

/// The hosts of lists, checked in turn.
@Suite struct ListedTurnTests {
  private func catalog(_ names: [String]) -> Catalog {
    let entries = ["links", "own.test"].map {
      Site(name: .host($0), answers: [.unavailable])
    }
    return Catalog(
      sites: entries, hosts: [(site: 0, names: names.compactMap { DomainName(entryName: $0) })],
      material: nil)
  }

  @Test func `each host comes once a round, but not names without a dot or with an entry`() {
    let catalog = catalog(["a.test", "local", "own.test", "*.w.test", "b.test"])
    var turn = ListedTurn()
    var found: [String] = []
    for now in stride(from: Int64(0), to: 100_000, by: 1_000) {
      if let subject = turn.next(catalog, now: now, interval: 60_000) { found.append(subject.host) }
    }
    #expect(found == ["a.test", "w.test", "b.test", "a.test", "w.test", "b.test"])
  }

  @Test func `an hour has room for three thousand, however often it is asked`() {
    let catalog = catalog((0..<5_000).map { "h\($0).test" })
    var turn = ListedTurn()
    var hosts: Set<String> = []
    var count = 0
    // Late now and then, as a check lasts.
    for now in stride(from: Int64(0), to: 3_600_000, by: 1_000) {
      guard let subject = turn.next(catalog, now: now, interval: 60_000) else { continue }
      hosts.insert(subject.host)
      count += 1
    }
    #expect(count == hosts.count && (2_990...3_000).contains(count))
    // What was missed in an idle hour is not made up for.
    var late = 0
    for now in stride(from: Int64(7_200_000), to: 7_260_000, by: 100) {
      if turn.next(catalog, now: now, interval: 60_000) != nil { late += 1 }
    }
    #expect((49...52).contains(late))
  }

  @Test func `a wildcard is not checked at its root domain if that has another entry`() throws {
    let names = ["example.test", "*.example.test", "*.other.test"].map { DomainName(entryName: $0) }
    let sites = try names.map { Site(name: try #require($0), answers: [.unavailable]) }
    let catalog = Catalog(sites: sites, hosts: [], material: nil)
    let found = sites.compactMap { WatchSubject($0.name, $0, in: catalog)?.host }
    #expect(found == ["example.test", "other.test"])
  }

  @Test func `lists may change at any time`() {
    var turn = ListedTurn()
    _ = turn.next(catalog(["a.test", "b.test", "c.test"]), now: 0, interval: 1_000)
    _ = turn.next(catalog(["a.test", "b.test", "c.test"]), now: 2_000, interval: 1_000)
    #expect(turn.next(catalog(["x.test"]), now: 4_000, interval: 1_000) == nil)
    #expect(turn.next(catalog(["x.test"]), now: 6_000, interval: 1_000)?.host == "x.test")
    #expect(turn.next(catalog([]), now: 9_000, interval: 1_000) == nil)
  }
}
