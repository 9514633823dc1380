import HTTP
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct FetchRecordTests {
  let folder = TestFolder()
  var loader: DomainRunner

  init() {
    loader = DomainRunner(root: folder("domains"))
    folder.write("domains/a.test.json", "{}")
    folder.write("domains/b.test.json", "{}")
    _ = loader.scanAll()
  }

  func named(_ name: String) -> Site? { loader.site(name) }

  @Test func `the last fetch of each class is known, and how often`() throws {
    let site = try #require(named("a.test"))
    #expect(site.fetches(of: WellKnownFiles.association).isEmpty)
    site.noteFetches(
      of: WellKnownFiles.association, by: .appleCDN, time: 100, status: 200, count: 1)
    site.noteFetches(
      of: WellKnownFiles.association, by: .appleDevice, time: 101, status: 304, count: 2)
    site.noteFetches(
      of: WellKnownFiles.association, by: .appleCDN, time: 102, status: 304, count: 3)
    site.noteFetches(of: WellKnownFiles.assetLinks, by: .google, time: 103, status: 404, count: 1)
    let version = try #require(site.version(of: WellKnownFiles.association))
    #expect(
      site.fetches(of: WellKnownFiles.association) == [
        Fetch(fetcher: .appleCDN, time: 102, status: 304, version: version, count: 4),
        Fetch(fetcher: .appleDevice, time: 101, status: 304, version: version, count: 2),
      ])
    #expect(
      site.fetches(of: WellKnownFiles.assetLinks) == [
        Fetch(fetcher: .google, time: 103, status: 404, version: 0, count: 1)
      ])
    #expect(named("b.test")?.fetches(of: WellKnownFiles.association) == [])
  }

  @Test mutating func `the record survives reloads, and is removed with the domain`() throws {
    let first = try #require(named("a.test"))
    first.noteFetches(
      of: WellKnownFiles.association, by: .appleCDN, time: 100, status: 200, count: 1)
    first.noteFetches(of: WellKnownFiles.assetLinks, by: .google, time: 100, status: 404, count: 1)
    let old = first.version(of: WellKnownFiles.association)

    folder.write("domains/a.test.json", "{ }")
    _ = loader.scan("a.test")
    let second = try #require(named("a.test"))
    #expect(second !== first)
    #expect(second.fetches(of: WellKnownFiles.association).map(\.version) == [old])
    #expect(second.version(of: WellKnownFiles.association) != old)
    #expect(second.fetches(of: WellKnownFiles.assetLinks).map(\.fetcher) == [.google])
    // A loop that still has the old catalog writes to the same record.
    first.noteFetches(
      of: WellKnownFiles.association, by: .browser, time: 101, status: 200, count: 1)
    #expect(second.fetches(of: WellKnownFiles.association).map(\.fetcher) == [.appleCDN, .browser])

    _ = loader.scanAll()
    #expect(named("a.test")?.fetches(of: WellKnownFiles.association).count == 2)
    folder.remove("domains/a.test.json")
    _ = loader.scanAndWithdraw()
    #expect(named("a.test") == nil)
    folder.write("domains/a.test.json", "{}")
    _ = loader.scan("a.test")
    #expect(named("a.test")?.fetches(of: WellKnownFiles.association) == [])
  }

  @Test func `many threads make one record`() async throws {
    let site = try #require(named("a.test"))
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          for time in 0..<500 {
            site.noteFetches(
              of: WellKnownFiles.association, by: FetcherClass.allCases[index % 2],
              time: Int64(time),
              status: 200, count: 1)
          }
        }
      }
    }
    #expect(site.fetches(of: WellKnownFiles.association).map(\.count) == [2_000, 2_000])
  }
}

@Suite struct AllowedHostsTests {
  @Test func `_default answers for allowed hosts only`() {
    let sites = ["a.test", "_default"].compactMap(DomainName.init(entryName:)).map {
      Site(name: $0, answers: [])
    }
    let allowed = ["b.test", "*.c.test"].compactMap(DomainName.init(entryName:))
    let catalog = Catalog(sites: sites, aliases: [], allowedHosts: allowed, material: nil)
    let rows: [(host: String, site: DomainName?)] = [
      ("a.test", .host("a.test")), ("b.test", .any), ("B.TEST", .any), ("x.c.test", .any),
      ("y.x.c.test", .any), ("c.test", .any), ("x.b.test", nil), ("xc.test", nil), ("", nil),
      ("test", nil),
    ]
    for (host, site) in rows { #expect(catalog.site(for: host)?.name == site, "\(host)") }
    let open = Catalog(sites: sites, aliases: [], material: nil)
    for host in ["x.b.test", ""] { #expect(open.site(for: host)?.name == .any) }
  }
}
