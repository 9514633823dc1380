import CatalogSupport
import Diagnostics
import Posix
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct MaintenanceTests {
  let folder = TestFolder("domains")

  func options(_ watch: HostingOptions.Watch) -> HostingOptions {
    var options = HostingOptions()
    options.domains = folder("domains")
    options.watch = watch
    options.withdrawAfter = 200
    return options
  }

  @Test func `a deep tree made all at once is served`() throws {
    let running = try RunningMaintenance(options(.auto))
    // Each file comes just when its folder is found: many times, to meet every order.
    for index in 0..<50 {
      folder.write("domains/h\(index).test/.well-known/apple-app-site-association", small)
    }
    for index in 0..<50 { #expect(running.serves("h\(index).test", small)) }
    // And all of it is watched.
    for index in 0..<50 {
      folder.write("domains/h\(index).test/.well-known/apple-app-site-association", version("b1"))
    }
    for index in 0..<50 { #expect(running.serves("h\(index).test", version("b1"))) }
  }

  /// A folder of 100,000 names is not listed for a file that is renamed to one of them.
  @Test(
    .enabled(if: DirectoryWatcher.isAvailable),
    arguments: [".a.test.json.Xk2", "a.test.json.tmp", "a.test.json~", ".a.test.json.swp"])
  func `a file that is written aside concerns its own name alone`(temporary: String) throws {
    folder.write("domains/a.test.json", small)
    let maintenance = try Maintenance(options(.auto), requests: MaintenanceRequests()) { _ in }
    _ = maintenance.load()
    maintenance.watchFolders()
    folder.write("domains/" + temporary, version("v2"))
    maintenance.takeEvents()
    #expect(maintenance.dueNow == [])
    folder.rename("domains/" + temporary, to: "domains/a.test.json")
    maintenance.takeEvents()
    #expect(maintenance.dueNow == [.domain(.named("a.test"))])
  }

  @Test(.enabled(if: DirectoryWatcher.isAvailable))
  func `links, folders and the policy concern the folder, whatever they are called`() throws {
    folder.write("domains/a.test.json", small)
    let maintenance = try Maintenance(options(.auto), requests: MaintenanceRequests()) { _ in }
    _ = maintenance.load()
    maintenance.watchFolders()
    let changes: [() -> Void] = [
      { [folder] in folder.link("domains/.current", to: "../elsewhere") },
      { [folder] in folder.makeFolder("domains/.releases") },
      { [folder] in folder.write("domains/.aasa.json", "{}") },
      { [folder] in folder.write("domains/notes.txt", "") },
    ]
    for change in changes {
      change()
      maintenance.takeEvents()
      #expect(maintenance.dueNow == [.domainsFolder])
    }
  }

  @Test func `a folder that is replaced as a whole is followed`() throws {
    folder.write("domains/a.test.json", version("v1"))
    folder.write("next/a.test.json", version("v2"))
    folder.write("next/b.test.json", version("v2"))
    let running = try RunningMaintenance(options(.auto))
    #expect(running.serves("a.test", version("v1")))
    folder.rename("domains", to: "last")
    folder.rename("next", to: "domains")
    #expect(running.serves("a.test", version("v2")))
    #expect(running.serves("b.test", version("v2")))
    // The new one is watched.
    folder.write("domains/a.test.json", version("v3"))
    #expect(running.serves("a.test", version("v3")))
    // Away for long: everything stays, until it is there again.
    folder.rename("domains", to: "away")
    #expect(eventually { running.codes.contains("H001") })
    #expect(running.publisher.current.association("a.test") == version("v3"))
    folder.write("domains/c.test.json", small)
    #expect(running.serves("c.test", small))
    #expect(running.serves("a.test", "no site"))
  }

  @Test func `a change before anything is watched is seen`() throws {
    folder.write("domains/a.test.json", version("v1"))
    folder.write("domains/b.test.json", version("v1"))
    folder.write("domains/c.test.json", version("v1"))
    let running = try RunningMaintenance(options(.auto)) { [folder] in
      folder.write("domains/a.test.json", version("v22"))
      folder.remove("domains/b.test.json")
      folder.write("domains/d.test.json", version("v22"))
    }
    #expect(running.serves("a.test", version("v22")))
    #expect(running.serves("b.test", "no site"))
    #expect(running.serves("c.test", version("v1")))
    #expect(running.serves("d.test", version("v22")))
  }

  @Test func `a folder that goes before it is watched is reported, and one in its place served`()
    throws
  {
    folder.write("domains/a.test.json", version("v1"))
    folder.write("next/a.test.json", version("v2"))
    let running = try RunningMaintenance(options(.auto)) { [folder] in
      folder.rename("domains", to: "away")
    }
    #expect(eventually { running.codes.contains("H001") })
    #expect(running.serves("a.test", version("v1")))
    folder.rename("next", to: "domains")
    #expect(running.serves("a.test", version("v2")))
  }

  @Test func `a folder that is not there yet is waited for`() throws {
    var options = options(.auto)
    options.domains = folder("to/come/domains")
    let running = try RunningMaintenance(options)
    #expect(running.codes.contains("H001"))
    folder.write("to/come/domains/a.test.json", small)
    #expect(running.serves("a.test", small))
  }

  @Test func `an unchanged file is not published again`() throws {
    folder.write("domains/a.test.json", small)
    folder.write("domains/b.test.json", small)
    let running = try RunningMaintenance(options(.auto))
    let site = running.publisher.current.site(for: "b.test")
    let before = running.publisher.generation
    folder.touch("domains/b.test.json", 1_000_000_000)
    #expect(eventually { running.publisher.generation == before + 1 })
    folder.touch("domains/b.test.json", 1_000_000_000)
    folder.write("domains/a.test.json", small + " ")
    #expect(running.serves("a.test", small + " "))
    #expect(running.publisher.generation == before + 2)
    #expect(
      site?.association.content
        === running.publisher.current.site(for: "b.test")?.association.content)
  }

  @Test func `the first version is compressed and judged afterwards`() throws {
    let count = 300
    for index in 0..<count {
      folder.write("domains/h\(index).test.json", BackgroundWorkTests.file("h\(index)"))
    }
    let running = try RunningMaintenance(options(.auto))
    let first = running.publisher.current
    #expect(first.sites.count == count)
    // The contents that are served already get it: no request finds another version.
    #expect(eventually { first.sites.allSatisfy { $0.association.content?.gzip != nil } })
    #expect(eventually { running.count(of: "A082") == count })
    #expect(Set(running.codes) == ["A082"])
    #expect(running.publisher.current === first)
    // Afterwards a change is found as always.
    folder.write("domains/h7.test.json", small + " ")
    #expect(running.serves("h7.test", small + " "))
  }

  @Test(arguments: HostingOptions.Watch.allCases)
  func `a log that is written all the time holds nothing back`(_ watch: HostingOptions.Watch) throws
  {
    folder.write("domains/a.test/apple-app-site-association", small)
    let running = try RunningMaintenance(options(watch))
    folder.write("domains/a.test/apple-app-site-association", small + " ")
    let isServed = eventually {
      folder.write("domains/a.test/access.log", "GET / HTTP/1.1")
      return running.publisher.current.association("a.test") == small + " "
    }
    #expect(isServed)
  }

  @Test(arguments: HostingOptions.Watch.allCases)
  func `a folder that is swapped on the path is noticed, although no event reports it`(
    _ watch: HostingOptions.Watch
  ) throws {
    for number in 1...2 {
      folder.write("top\(number)/middle/domains/a.test.json", version("v\(number)"))
      folder.write("dist\(number)/deep/file", version("dist\(number)"))
      folder.link("top\(number)/middle/domains/b.test.json", to: folder("dist/deep/file"))
    }
    folder.rename("top1", to: "top")
    folder.rename("dist1", to: "dist")
    var options = options(watch)
    options.domains = folder("top/middle/domains")
    let running = try RunningMaintenance(options)
    #expect(running.serves("a.test", version("v1")) && running.serves("b.test", version("dist1")))
    folder.rename("dist", to: "dist1")
    folder.rename("dist2", to: "dist")
    #expect(running.serves("b.test", version("dist2")))
    folder.rename("top", to: "top1")
    folder.rename("top2", to: "top")
    #expect(running.serves("a.test", version("v2")))
    #expect(running.publisher.current.association("b.test") == version("dist2"))
  }

  @Test func `a name with a capital whose file changed just before the start is read`() throws {
    var options = options(.auto)
    for _ in 0..<3 {
      folder.write("domains/H1.test.json", small)
      let maintenance = try Maintenance(options, requests: MaintenanceRequests()) { _ in }
      #expect(maintenance.load().association("h1.test") == small)
    }
    // So is what was kept of it.
    folder.makeFolder("state")
    options.state = folder("state")
    let running = try RunningMaintenance(options)
    folder.write("domains/H1.test.json", "{")
    #expect(eventually { (try? Posix.status(folder("state/kept/domains/h1.test.json"))) != nil })
    running.stop()
    for _ in 0..<3 {
      folder.write("domains/H1.test.json", "{")
      let maintenance = try Maintenance(options, requests: MaintenanceRequests()) { _ in }
      #expect(maintenance.load().association("h1.test") == small)
    }
  }

  /// Whoever reads the ID in the log of a start can confirm it at once.
  @Test func `what a start holds is in the status before anything is served`() throws {
    folder.write("domains/a.test.json", small)
    folder.makeFolder("state")
    var options = options(.auto)
    options.state = folder("state")
    let running = try RunningMaintenance(options)
    #expect(eventually { (try? Posix.status(folder("state/kept/known"))) != nil })
    running.stop()
    folder.remove("domains/a.test.json")
    let status = StatusPublisher()
    let maintenance = try Maintenance(options, requests: MaintenanceRequests(), status: status) {
      #expect($0.diagnostics.map(\.code).contains("H001"))
      #expect(status.current.holds.count == 1)
    }
    _ = maintenance.load()
    #expect(status.current.holds.count == 1)
  }

  @Test(arguments: HostingOptions.Watch.allCases)
  func `a host that is put into a list is served, and one that is taken out is withdrawn`(
    _ watch: HostingOptions.Watch
  ) throws {
    folder.write("domains/links.json", small)
    folder.write("domains/links.hosts", "a.test\n")
    let running = try RunningMaintenance(options(watch))
    #expect(running.serves("a.test", small))
    folder.write("domains/links.hosts", "a.test\nb.test\n")
    #expect(running.serves("b.test", small))
    folder.write("domains/links.hosts", "b.test\n")
    #expect(running.serves("a.test", "no site"))
    // A list that comes later, beside a name that is there.
    folder.write("domains/p.test.json", version("p"))
    #expect(running.serves("p.test", version("p")))
    folder.write("domains/p.test.hosts", "c.test\n")
    #expect(running.serves("c.test", version("p")))
  }
}

extension Maintenance {
  /// Takes what is to be scanned, however soon.
  fileprivate var dueNow: Set<ScanKey> { Set(agenda.takeDue(now: .max).keys) }
}
