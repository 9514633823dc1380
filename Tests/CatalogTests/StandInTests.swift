import CatalogSupport
import Settings
import Testing

@testable import Catalog

/// A host is answered by the first of its entries that has a good version of the association file.
@Suite struct StandInTests {
  /// Makes an entry: `good` serves its own name, `faulty` has a file that cannot be served, `empty`
  /// has none, and `android` serves only `assetlinks.json`.
  private static func site(_ name: String, _ state: String) -> Site {
    var store = ContentStore(cacheControl: "no-cache")
    func served(_ text: String, _ kind: ContentKind) -> Availability {
      .served(ServedFile(content: store.content(of: Array(text.utf8), kind: kind), lastModified: 0))
    }
    var answers: (Availability, Availability) = (.absent, .absent)
    if state.hasPrefix("good") { answers.0 = served(name, .association) }
    if state.hasPrefix("faulty") { answers.0 = .unavailable }
    if state.hasSuffix("android") {
      answers.1 = served("links of \(name)", .file(WellKnownFiles.assetLinks))
    }
    return Site(name: .named(name), association: answers.0, assetLinks: answers.1)
  }

  struct Row: CustomTestStringConvertible {
    /// The entries, each with its state.
    let entries: [(String, String)]
    /// The hosts of the first entries' lists.
    var lists: [[String]] = []
    var kept: [[String]] = []
    var aliases: [(String, String)] = []
    var allowed: [String] = []
    var host = "x.w.test"
    /// The association file, and `assetlinks.json`.
    let answer: String
    var links = "absent"
    var testDescription: String {
      "\(host) among \(entries) \(lists) \(kept) \(aliases) \(allowed)"
    }
  }

  static let rows = [
    // Its own file, while it is written or faulty, and once it is good.
    Row(entries: [("x.w.test", "faulty"), ("*.w.test", "good")], answer: "*.w.test"),
    Row(entries: [("x.w.test", "good"), ("*.w.test", "good")], answer: "x.w.test"),
    Row(entries: [("x.w.test", "faulty"), ("*.w.test", "faulty")], answer: "unavailable"),
    Row(entries: [("x.w.test", "faulty")], answer: "unavailable"),
    // A folder that was just made, and one that has no association file on purpose.
    Row(entries: [("x.w.test", "empty"), ("*.w.test", "good")], answer: "*.w.test"),
    Row(
      entries: [("x.w.test", "android"), ("*.w.test", "good")], answer: "absent",
      links: "links of x.w.test"),
    // No file takes a good one away: each is the own one, or else that of the other entry.
    Row(
      entries: [("x.w.test", "faulty android"), ("*.w.test", "good android")], answer: "*.w.test",
      links: "links of x.w.test"),
    Row(
      entries: [("x.w.test", "faulty"), ("*.w.test", "good android")], answer: "*.w.test",
      links: "links of *.w.test"),
    // The order: own entry, list, other list, kept host, wildcard, default.
    Row(
      entries: [("l", "good"), ("m", "good"), ("x.w.test", "faulty"), ("*.w.test", "good")],
      lists: [["x.w.test"], ["x.w.test"]], answer: "l"),
    Row(
      entries: [("l", "faulty"), ("m", "good"), ("*.w.test", "good")],
      lists: [["x.w.test"], ["x.w.test"]], answer: "m"),
    Row(
      entries: [("l", "faulty"), ("m", "good"), ("*.w.test", "good")], lists: [["x.w.test"], []],
      kept: [[], ["x.w.test"]], answer: "m"),
    Row(
      entries: [("l", "faulty"), ("*.w.test", "good"), ("_default", "good")],
      lists: [["x.w.test"]], answer: "*.w.test"),
    Row(entries: [("x.w.test", "faulty"), ("_default", "good")], answer: "_default"),
    // The host itself counts, not another one of the list.
    Row(
      entries: [("l", "good"), ("x.w.test", "faulty")], lists: [["y.w.test"]], answer: "unavailable"
    ),
    // A wildcard: the next longer one, and the same name in a list.
    Row(
      entries: [("*.w.test", "faulty"), ("*.test", "good")], host: "y.x.w.test", answer: "*.test"),
    Row(
      entries: [("l", "good"), ("*.w.test", "faulty"), ("*.test", "good")], lists: [["*.w.test"]],
      answer: "l"),
    Row(
      entries: [("x.w.test", "faulty"), ("*.w.test", "faulty"), ("*.test", "good")],
      answer: "*.test"),
    Row(
      entries: [("*.w.test", "faulty"), ("w.test", "good")], host: "w.test", answer: "w.test"),
    Row(entries: [("*.w.test", "faulty"), ("w.test", "good")], answer: "unavailable"),
    // The default answers only for allowed hosts.
    Row(
      entries: [("x.w.test", "faulty"), ("_default", "good")], allowed: ["y.w.test"],
      answer: "unavailable"),
    Row(
      entries: [("x.w.test", "faulty"), ("_default", "good")], allowed: ["*.w.test"],
      answer: "_default"),
    Row(
      entries: [("*.w.test", "faulty"), ("_default", "good")], allowed: ["*.test"],
      answer: "_default"),
    Row(
      entries: [("*.w.test", "faulty"), ("_default", "good")], allowed: ["x.w.test"],
      answer: "unavailable"),
    // An alias gets what its host gets.
    Row(
      entries: [("x.w.test", "faulty"), ("*.w.test", "good")], aliases: [("a.test", "x.w.test")],
      host: "a.test", answer: "*.w.test"),
  ]

  private static func catalog(_ row: Row, after previous: Catalog? = nil) -> Catalog {
    func names(_ lists: [[String]]) -> [(site: Int, names: [DomainName])] {
      lists.enumerated().map { ($0.offset, $0.element.map { .named($0) }) }
    }
    return Catalog(
      sites: row.entries.map { site($0.0, $0.1) }, hosts: names(row.lists),
      keptHosts: names(row.kept), aliases: row.aliases.map { (from: .named($0.0), to: $0.1) },
      allowedHosts: row.allowed.map { .named($0) }, material: nil,
      owner: { previous?.namedSite($0)?.name })
  }

  @Test(arguments: rows)
  func `a host is answered by the first entry that has a good version`(_ row: Row) {
    let catalog = Self.catalog(row)
    #expect(catalog.association(row.host) == row.answer)
    #expect(bodyText(catalog.site(for: row.host)?.assetLinks) == row.links)
    // What has a name stays what it is.
    for (index, entry) in row.entries.enumerated() {
      #expect(catalog.index(of: .named(entry.0)) == index)
    }
  }

  @Test func `the host changes back as soon as its own file is good`() {
    let row = Row(entries: [("x.w.test", "faulty"), ("*.w.test", "good")], answer: "")
    let before = Self.catalog(row)
    #expect(before.standIn(for: .host("x.w.test"))?.name == .wildcard("w.test"))
    #expect(before.namedSite(.host("x.w.test"))?.name == .host("x.w.test"))
    #expect(before.replacing([Self.site("x.w.test", "good")], material: nil) == nil)
    // The other version of the wildcard must be shown too.
    #expect(before.replacing([Self.site("*.w.test", "good")], material: nil) == nil)
    #expect(before.replacing([], material: nil) != nil && before.hostCount == 2)
    let after = Self.catalog(
      Row(entries: [("x.w.test", "good"), ("*.w.test", "good")], answer: ""), after: before)
    #expect(after.standIn(for: .host("x.w.test")) == nil)
    #expect(after.association("x.w.test") == "x.w.test")
    #expect(after.replacing([Self.site("x.w.test", "good")], material: nil) != nil)
    #expect(after.replacing([Self.site("*.w.test", "faulty")], material: nil) == nil)
  }

  @Test func `fetches count for the entry that a file comes from`() {
    let row = Row(
      entries: [("x.w.test", "faulty android"), ("*.w.test", "good")], answer: "")
    let catalog = Self.catalog(row)
    for number in 0..<2 {
      catalog.site(for: "x.w.test")?.noteFetches(
        of: number, by: .appleCDN, time: 1, status: 200, count: 3)
    }
    #expect(catalog.sites[0].fetches(of: 0).isEmpty && catalog.sites[0].fetches(of: 1).count == 1)
    #expect(catalog.sites[1].fetches(of: 0).count == 1 && catalog.sites[1].fetches(of: 1).isEmpty)
  }
}
