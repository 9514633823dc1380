import CatalogSupport
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite(.enabled(if: DirectoryWatcher.isAvailable)) struct WatchRegistryTests {
  let folder = TestFolder("domains")
  /// Where files are written before they get their names.
  private let staging: TestFolder

  init() {
    staging = TestFolder()
  }

  /// Writes a file, and then gives it its name: one event, at once. A file that is written in its
  /// place is closed later if a program that another test starts has inherited it.
  private func write(_ name: String, _ text: String) {
    staging.write("file", text)
    if let slash = name.lastIndex(of: "/") { folder.makeFolder(String(name[..<slash])) }
    try? renameFile(staging("file"), to: folder(name))
  }

  private func domain(_ name: String) -> ScanKey { .domain(.named(name)) }

  /// A registry for the domains folder, as maintenance makes it.
  private func registry() -> WatchRegistry {
    var registry = WatchRegistry(isOff: false)
    registry.watchFolder(folder("domains"), as: .domainsFolder)
    return registry
  }

  /// The keys of everything that happened. inotify reports at once.
  private func changed(_ registry: inout WatchRegistry) -> Set<ScanKey> {
    Set(registry.takeEvents().map(\.key))
  }

  @Test func `a change in the folder concerns the domain of the name`() {
    var registry = registry()
    write("domains/a.test.json", "{}")
    #expect(changed(&registry) == [domain("a.test")])
    write("domains/b.test.json", "{}")
    folder.rename("domains/b.test.json", to: "domains/C.test.JSON")
    let events = registry.takeEvents()
    #expect(Set(events.map(\.key)) == [domain("b.test"), domain("c.test")])
    // With the name as it is spelt.
    #expect(Set(events.compactMap(\.name)) == ["b.test.json", "C.test.JSON"])
    folder.remove("domains/C.test.JSON")
    #expect(changed(&registry) == [domain("c.test")])
    for (name, expected) in [
      ("d.test.cases", "d.test"), ("d.test.hosts", "d.test"), ("d.test.assetlinks.json", "d.test"),
      ("_default.json", "_default"), ("_wildcard.d.test.json", "*.d.test"),
    ] {
      write("domains/" + name, "")
      #expect(changed(&registry) == [domain(expected)])
    }
    folder.makeFolder("domains/e.test")
    #expect(changed(&registry) == [domain("e.test")])
    // Events elsewhere are ignored.
    write("elsewhere/a.test.json", "{}")
    #expect(changed(&registry) == [])
  }

  @Test func `a name that is not a domain's concerns the folder`() {
    var registry = registry()
    folder.makeFolder("domains/..2026")
    folder.link("domains/..data", to: "..2026")
    #expect(changed(&registry) == [.domainsFolder])
  }

  @Test func `it is known whether the writer has finished`() {
    var registry = registry()
    folder.write("domains/a.test.json", "{}")
    // Created, written, closed.
    #expect(eventually { registry.takeEvents().last?.isComplete == true })
    write("elsewhere", "{}")
    folder.rename("elsewhere", to: "domains/b.test.json")
    #expect(registry.takeEvents().map(\.isComplete) == [true])
    folder.remove("domains/b.test.json")
    #expect(registry.takeEvents().map(\.isComplete) == [false])
  }

  @Test func `a change in the certificates folder concerns the name`() {
    folder.makeFolder("certificates/live/a.test")
    var registry = registry()
    registry.watchFolder(folder("certificates"), as: .certificatesFolder)
    registry.watch(folder("certificates/live/a.test"), for: .certificate("live"), .all)
    write("certificates/b.crt", "")
    #expect(changed(&registry) == [.certificate("b.crt")])
    write("certificates/live/a.test/privkey.pem", "")
    #expect(changed(&registry) == [.certificate("live")])
    // The same name in the domains folder is another one.
    write("domains/live.json", "{}")
    #expect(changed(&registry) == [domain("live")])
  }

  @Test func `in a domain's folder only the names count that are read`() {
    folder.makeFolder("domains/a.test/.well-known")
    var registry = registry()
    for path in ["domains/a.test", "domains/a.test/.well-known"] {
      registry.watch(folder(path), for: domain("a.test"), .ofDomain)
    }
    for name in ["access.log", "index.html", "sub/apple-app-site-association", "a.json"] {
      write("domains/a.test/" + name, "")
      #expect(changed(&registry) == [])
    }
    for name in [
      "apple-app-site-association", "assetlinks.json", "a.test.cases",
      "apple-app-site-association.cases", "security.txt", "webauthn", "matrix",
    ] {
      for place in ["domains/a.test/", "domains/a.test/.well-known/"] {
        write(place + name, "")
        #expect(changed(&registry) == [domain("a.test")])
      }
    }
    folder.remove("domains/a.test/.well-known")
    #expect(changed(&registry) == [domain("a.test")])
    folder.makeFolder("domains/a.test/.well-known")
    #expect(changed(&registry) == [domain("a.test")])
    // It is watched again.
    registry.watch(folder("domains/a.test/.well-known"), for: domain("a.test"), .ofDomain)
    write("domains/a.test/.well-known/assetlinks.json", "[]")
    #expect(changed(&registry) == [domain("a.test")])
  }

  @Test func `where a link leads every name counts`() {
    folder.makeFolder("store")
    var registry = registry()
    registry.watch(folder("store"), for: domain("a.test"), .all)
    write("store/anything", "")
    #expect(changed(&registry) == [domain("a.test")])
    // Replaced by a rename, as careful writers do.
    folder.rename("store/anything", to: "store/other")
    #expect(changed(&registry) == [domain("a.test")])
  }

  @Test func `a folder that many domains are read from concerns all of them`() {
    folder.makeFolder("domains/a.test")
    var registry = registry()
    registry.watch(folder("domains/a.test"), for: domain("a.test"), .ofDomain)
    for name in ["b.test", "c.test"] {
      registry.watch(folder("domains/a.test"), for: domain(name), .all)
      // Watching it twice has no effect.
      registry.watch(folder("domains/a.test"), for: domain(name), .all)
    }
    write("domains/a.test/apple-app-site-association", "{}")
    #expect(changed(&registry) == [domain("a.test"), domain("b.test"), domain("c.test")])
    write("domains/a.test/access.log", "")
    #expect(changed(&registry) == [domain("b.test"), domain("c.test")])
  }

  @Test func `a folder that is removed is scanned as a whole, and the one in its place is watched`()
  {
    var registry = registry()
    folder.rename("domains", to: "away")
    #expect(changed(&registry).contains(.domainsFolder))
    folder.makeFolder("domains")
    // As maintenance does after a scan.
    registry.watchFolder(folder("domains"), as: .domainsFolder)
    write("domains/a.test.json", "{}")
    #expect(changed(&registry) == [domain("a.test")])
    // The one that went away is of no concern.
    write("away/b.test.json", "{}")
    #expect(changed(&registry) == [])
    // To watch it again changes nothing.
    registry.watchFolder(folder("domains"), as: .domainsFolder)
    write("domains/c.test.json", "{}")
    #expect(changed(&registry) == [domain("c.test")])
  }

  @Test func `when another folder takes the place, the first is not watched any more`() {
    folder.makeFolder("releases/1")
    folder.makeFolder("releases/2")
    folder.link("current", to: "releases/1")
    var registry = WatchRegistry(isOff: false)
    registry.watchFolder(folder("current"), as: .domainsFolder)
    write("releases/1/a.test.json", "{}")
    #expect(changed(&registry) == [domain("a.test")])
    folder.link("current", to: "releases/2")
    registry.watchFolder(folder("current"), as: .domainsFolder)
    write("releases/2/b.test.json", "{}")
    #expect(changed(&registry) == [domain("b.test")])
    write("releases/1/a.test.json", "{ }")
    #expect(changed(&registry) == [])
  }

  @Test func `a folder that is missing is not a fault here`() {
    var registry = WatchRegistry(isOff: false)
    registry.watchFolder(folder("none"), as: .domainsFolder)
    registry.watch(folder("none"), for: domain("a.test"), .all)
    #expect(changed(&registry) == [] && registry.shortage == nil && registry.unwatched == 0)
  }

  @Test func `when it is off nothing is watched`() {
    var registry = WatchRegistry(isOff: true)
    registry.watchFolder(folder("domains"), as: .domainsFolder)
    write("domains/b.test.json", "{}")
    #expect(changed(&registry) == [])
    // This is what the caller chose.
    #expect(registry.shortage == nil)
  }
}
