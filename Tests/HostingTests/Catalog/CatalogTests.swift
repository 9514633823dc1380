import Diagnostics
import Testing

@testable import Hosting

@Suite struct CatalogTests {
  /// Sites without files, by the names of their entries.
  static func sites(_ names: [String]) -> [Site] {
    names.map { Site(name: .named($0), association: .absent, assetLinks: .absent) }
  }

  static func aliases(_ pairs: [(String, String)]) -> [(from: DomainName, to: String)] {
    pairs.map { (from: .named($0.0), to: $0.1) }
  }

  struct Row: CustomTestStringConvertible {
    let entries: [String]
    var aliases: [(String, String)] = []
    let host: String
    /// The entry that serves it.
    let site: String?
    var testDescription: String { "\(host) among \(entries) \(aliases)" }
  }

  static let rows = [
    // exact before everything
    Row(
      entries: ["a.example.com", "*.example.com", "_default"], host: "a.example.com",
      site: "a.example.com"),
    // a wildcard before the default, at any depth
    Row(entries: ["*.example.com", "_default"], host: "b.a.example.com", site: "*.example.com"),
    // the longest wildcard
    Row(
      entries: ["*.example.com", "*.a.example.com"], host: "b.a.example.com",
      site: "*.a.example.com"),
    // the root of a wildcard, for Apple fetches it there
    Row(entries: ["*.example.com", "_default"], host: "example.com", site: "*.example.com"),
    // but not when it has an entry of its own
    Row(entries: ["*.example.com", "example.com"], host: "example.com", site: "example.com"),
    // the root of the longer one
    Row(
      entries: ["*.example.com", "*.a.example.com"], host: "a.example.com",
      site: "*.a.example.com"),
    // not what only ends with the same letters
    Row(entries: ["*.example.com"], host: "notexample.com", site: nil),
    Row(entries: ["*.example.com", "_default"], host: "notexample.com", site: "_default"),
    // any other host
    Row(entries: ["example.com", "_default"], host: "192.0.2.1", site: "_default"),
    Row(entries: ["example.com"], host: "other.example", site: nil),
    Row(entries: [], host: "example.com", site: nil),
    // capitals
    Row(entries: ["example.com"], host: "EXAMPLE.COM", site: "example.com"),

    // an alias of an entry
    Row(
      entries: ["example.com"], aliases: [("www.example.com", "example.com")],
      host: "www.example.com", site: "example.com"),
    // of a host that a wildcard serves
    Row(
      entries: ["*.example.com"], aliases: [("a.test", "x.example.com")], host: "a.test",
      site: "*.example.com"),
    // of a host that is not there: as if there were no alias
    Row(
      entries: ["_default"], aliases: [("a.test", "missing.test")], host: "a.test",
      site: "_default"),
    // an entry of its own wins
    Row(
      entries: ["example.com", "a.test"], aliases: [("a.test", "example.com")], host: "a.test",
      site: "a.test"),
    // an alias is exact: it wins over a wildcard
    Row(
      entries: ["example.com", "*.test"], aliases: [("a.test", "example.com")], host: "a.test",
      site: "example.com"),
    // aliases do not chain, in either order
    Row(
      entries: ["example.com"], aliases: [("b.test", "a.test"), ("a.test", "example.com")],
      host: "b.test", site: nil),
    Row(
      entries: ["example.com"], aliases: [("a.test", "example.com"), ("b.test", "a.test")],
      host: "b.test", site: nil),
    // an alias is no wildcard
    Row(
      entries: ["example.com"], aliases: [("a.test", "example.com")], host: "x.a.test", site: nil),
    // a wildcard as alias, and its root
    Row(
      entries: ["example.com"], aliases: [("*.test", "example.com")], host: "b.a.test",
      site: "example.com"),
    Row(
      entries: ["example.com"], aliases: [("*.test", "example.com")], host: "test",
      site: "example.com"),
    // which does not replace an entry either
    Row(
      entries: ["example.com", "*.test"], aliases: [("*.test", "example.com")], host: "a.test",
      site: "*.test"),
    // any other host as alias
    Row(
      entries: ["example.com"], aliases: [("_default", "example.com")], host: "other.test",
      site: "example.com"),
    Row(
      entries: ["example.com", "_default"], aliases: [("_default", "example.com")],
      host: "other.test", site: "_default"),
    // of two aliases the first counts
    Row(
      entries: ["a.test", "b.test"], aliases: [("c.test", "a.test"), ("c.test", "b.test")],
      host: "c.test", site: "a.test"),
    Row(
      entries: ["a.test", "b.test"], aliases: [("*.c.test", "a.test"), ("*.c.test", "b.test")],
      host: "x.c.test", site: "a.test"),
  ]

  @Test(arguments: rows)
  func `a host has its own entry, else the longest wildcard, else the default`(_ row: Row) {
    let catalog = Catalog(
      sites: Self.sites(row.entries), aliases: Self.aliases(row.aliases), material: nil)
    #expect(catalog.site(for: row.host)?.name == row.site.map { .named($0) })
  }

  @Test func `the order of entries does not matter`() {
    for names in [["_default", "*.a.test", "a.test"], ["a.test", "*.a.test", "_default"]] {
      let catalog = Catalog(sites: Self.sites(names), aliases: [], material: nil)
      #expect(catalog.site(for: "a.test")?.name == .host("a.test"))
      #expect(catalog.site(for: "b.a.test")?.name == .wildcard("a.test"))
      #expect(catalog.site(for: "c.test")?.name == .any)
      #expect(catalog.fallback?.name == .any)
    }
  }

  struct Told: CustomTestStringConvertible {
    let entries: [String]
    let aliases: [(String, String)]
    let codes: [String]
    var testDescription: String { "\(entries) \(aliases)" }
  }

  static let told = [
    Told(entries: [], aliases: [], codes: ["H010"]),
    Told(entries: ["a.test"], aliases: [], codes: []),
    // good aliases
    Told(entries: ["a.test"], aliases: [("b.test", "a.test")], codes: []),
    Told(entries: ["a.test"], aliases: [("b.test", "A.test")], codes: []),
    Told(entries: ["*.a.test"], aliases: [("b.test", "x.y.a.test")], codes: []),
    Told(entries: ["*.a.test"], aliases: [("b.test", "a.test")], codes: []),
    // a host without entry
    Told(entries: ["a.test"], aliases: [("b.test", "c.test")], codes: ["H012"]),
    // a host that only the default serves
    Told(entries: ["a.test", "_default"], aliases: [("b.test", "c.test")], codes: ["H012"]),
    // an alias of an alias
    Told(
      entries: ["a.test"], aliases: [("b.test", "a.test"), ("c.test", "b.test")], codes: ["H012"]),
    // an entry that hides it
    Told(entries: ["a.test", "b.test"], aliases: [("b.test", "a.test")], codes: ["H013"]),
    Told(entries: ["a.test", "*.b.test"], aliases: [("*.b.test", "a.test")], codes: ["H013"]),
  ]

  @Test(arguments: told)
  func `aliases that do nothing are told of`(_ row: Told) {
    var options = HostingOptions()
    options.aliases = Self.aliases(row.aliases)
    let catalog = Catalog(
      sites: Self.sites(row.entries), aliases: options.aliases, material: nil)
    let found = catalogDiagnostics(catalog, options, hasCertificates: false)
    #expect(found.map(\.code) == row.codes)
  }

  @Test func `the newest catalog is handed on, and each has a number of its own`() {
    let first = Catalog(sites: [], aliases: [], material: nil)
    let second = Catalog(sites: [], aliases: [], material: nil)
    let publisher = CatalogPublisher(first)
    let before = publisher.generation
    #expect(publisher.current === first)
    publisher.publish(second)
    #expect(publisher.current === second)
    #expect(publisher.generation == before + 1)
  }
}
