import CatalogSupport
import Diagnostics
import Testing

@testable import Catalog
@testable import Settings

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
    // not a host that only ends with the same letters
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
    // an alias is not a wildcard
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
    }
  }

  @Test func `hosts are those of entries, lists and aliases, each once, and have a dot`() {
    let catalog = Catalog(
      sites: Self.sites(["links", "a.test", "*.b.test", "_default"]),
      hosts: [
        (0, [.host("l1.test"), .host("l2.test"), .host("a.test"), .host("local")]),
        (1, [.host("l1.test"), .wildcard("w.test")]),
      ],
      aliases: Self.aliases([("alias.test", "a.test"), ("none.test", "other.test")]), material: nil)
    #expect(catalog.hosts.sorted() == ["a.test", "alias.test", "l1.test", "l2.test"])
    #expect(catalog.wildcards == ["*.b.test", "*.w.test", "b.test", "w.test"])
    #expect(catalog.hostCount == 6)
    // Served all the same.
    #expect(catalog.site(for: "links")?.name == .host("links"))
    #expect(catalog.namedSite(.host("l2.test"))?.name == .host("links"))
    #expect(catalog.namedSite(.host("other.b.test")) == nil)
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

  // MARK: Sharing

  private static func site(_ name: String, _ text: String) -> Site {
    var store = ContentStore(cacheControl: "no-cache")
    let content = store.content(of: Array(text.utf8), kind: .association)
    return Site(
      name: .named(name), association: .served(ServedFile(content: content, lastModified: 0)),
      assetLinks: .absent)
  }

  private static let names = ["a.test", "b.test", "*.c.test", "_default"]

  private static func catalog() -> Catalog {
    Catalog(
      sites: names.map { site($0, "1") }, hosts: [(site: 0, names: [.host("list.test")])],
      aliases: aliases([("alias.test", "b.test")]), material: nil)
  }

  @Test(
    arguments: [
      // Each with the hosts that it serves.
      ("a.test", ["a.test", "list.test"]), ("b.test", ["b.test", "alias.test"]),
      ("*.c.test", ["c.test", "x.c.test"]), ("_default", ["other.test"]),
    ])
  func `a catalog with another site shares all others`(_ name: String, _ hosts: [String]) throws {
    let before = Self.catalog()
    let changed = Self.site(name, "2")
    let after = try #require(before.replacing([changed], material: nil))
    let all = ["a.test", "list.test", "b.test", "alias.test", "c.test", "x.c.test", "other.test"]
    for host in all {
      if hosts.contains(host) {
        #expect(after.site(for: host) === changed)
      } else {
        #expect(after.site(for: host) === before.site(for: host))
      }
      // Sites of the old catalog are still served.
      #expect(before.association(host) == "1")
    }
    #expect(after.hosts.sorted() == ["a.test", "alias.test", "b.test", "list.test"])
    #expect(after.hostCount == before.hostCount && after.wildcards == before.wildcards)
    #expect(after.sites.count == before.sites.count)
    #expect(after.sites.indices.count { after.sites[$0] !== before.sites[$0] } == 1)
  }

  @Test func `many sites can be replaced at once, and unknown ones never`() throws {
    let before = Self.catalog()
    let after = try #require(
      before.replacing(
        [Self.site("a.test", "2"), Self.site("*.c.test", "3"), Self.site("alias.test", "4")]
          + [Self.site("x.c.test", "5"), Self.site("list.test", "6")],
        material: nil))
    #expect(after.association("a.test") == "2" && after.association("list.test") == "2")
    #expect(after.association("x.c.test") == "3")
    #expect(after.association("alias.test") == "1")
    #expect(after.sites.count == 4)
    #expect(after.index(of: .host("a.test")) == before.index(of: .host("a.test")))
    for name in ["alias.test", "list.test", "x.c.test", "*.a.test"] {
      #expect(after.index(of: .named(name)) == nil)
    }
  }

  @Test func `the hosts for which the default may answer stay the same`() throws {
    let before = Catalog(
      sites: [Self.site("_default", "1")], allowedHosts: [.host("a.test")], material: nil)
    let after = try #require(before.replacing([Self.site("_default", "2")], material: nil))
    #expect(after.association("a.test") == "2" && after.association("b.test") == "no site")
  }

  @Test func `a version is served since its content came, whatever its modification time`() {
    var store = ContentStore(cacheControl: "no-cache")
    func site(_ text: String?, modified: Int64 = 0, after previous: Site?, now: Int64) -> Site {
      let answers = text.map { text in
        let content = store.content(of: Array(text.utf8), kind: .association)
        return [Availability.served(ServedFile(content: content, lastModified: modified))]
      }
      return Site(name: .named("a.test"), answers: answers ?? [], after: previous, now: now)
    }
    let first = site("1", after: nil, now: 10)
    let same = site("1", modified: 9, after: first, now: 20)
    let other = site("2", after: same, now: 30)
    let gone = site(nil, after: other, now: 40)
    let stillGone = site(nil, after: gone, now: 50)
    #expect([first, same, other, gone, stillGone].map(\.since) == [10, 10, 30, 40, 40])
  }

  // MARK: Lists of hosts

  struct List: CustomTestStringConvertible {
    let entries: [String]
    /// The hosts of the first entry, then those of the second.
    var lists: [[String]]
    let host: String
    let site: String?
    var testDescription: String { "\(host) among \(entries) with \(lists)" }
  }

  static let lists = [
    List(entries: ["a.test"], lists: [["x.test"]], host: "x.test", site: "a.test"),
    List(entries: ["a.test"], lists: [["*.x.test"]], host: "y.x.test", site: "a.test"),
    List(entries: ["a.test"], lists: [["*.x.test"]], host: "x.test", site: "a.test"),
    List(entries: ["a.test"], lists: [["x.test"]], host: "y.x.test", site: nil),
    // no other entry is overridden
    List(entries: ["a.test", "b.test"], lists: [["b.test"]], host: "b.test", site: "b.test"),
    List(
      entries: ["a.test", "*.b.test"], lists: [["*.b.test"]], host: "x.b.test", site: "*.b.test"),
    // a host goes before a wildcard, as everywhere
    List(entries: ["a.test", "*.b.test"], lists: [["x.b.test"]], host: "x.b.test", site: "a.test"),
    List(entries: ["a.test", "_default"], lists: [["x.test"]], host: "x.test", site: "a.test"),
    // the first list wins
    List(
      entries: ["a.test", "b.test"], lists: [["x.test"], ["x.test"]], host: "x.test",
      site: "a.test"),
    // its own name
    List(entries: ["a.test"], lists: [["a.test", "x.test"]], host: "a.test", site: "a.test"),
  ]

  @Test(arguments: lists)
  func `a list of hosts adds names to an entry, and overrides none`(_ row: List) {
    let catalog = Catalog(
      sites: Self.sites(row.entries),
      hosts: row.lists.enumerated().map { ($0.offset, $0.element.map { .named($0) }) },
      material: nil)
    #expect(catalog.site(for: row.host)?.name == row.site.map { .named($0) })
  }

  @Test func `aliases lead to entries, not to hosts of a list, and do not override them`() {
    let catalog = Catalog(
      sites: Self.sites(["a.test", "b.test"]), hosts: [(site: 0, names: [.host("x.test")])],
      aliases: Self.aliases([("x.test", "b.test"), ("y.test", "x.test")]), material: nil)
    #expect(catalog.site(for: "x.test")?.name == .host("a.test"))
    #expect(catalog.site(for: "y.test")?.name == nil)
  }
}
