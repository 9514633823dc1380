import Diagnostics
import Foundation
import Posix
import Synchronization
import Testing

@testable import Hosting

/// A maintenance thread at work on a folder of its own.
final class RunningMaintenance: Sendable {
  let publisher: CatalogPublisher
  private let requests: MaintenanceRequests
  private let thread: Posix.Thread
  private let reports: Reports

  final class Reports: Sendable {
    let codes = Mutex<[String]>([])
    let omitted = Mutex<[String: Int]>([:])
    func take(_ report: Maintenance.Report) {
      codes.withLock { $0 += report.diagnostics.map(\.code) }
      omitted.withLock { $0.merge(report.omitted, uniquingKeysWith: +) }
    }
  }

  /// - Parameter meanwhile: done after all was read and before anything is watched.
  init(_ options: HostingOptions, meanwhile: @escaping @Sendable () -> Void = {}) throws {
    let requests = try MaintenanceRequests()
    let reports = Reports()
    self.requests = requests
    self.reports = reports
    let publisher = CatalogPublisher(Catalog(sites: [], aliases: [], material: nil))
    self.publisher = publisher
    let isLoaded = Flag()
    thread = try Posix.Thread(named: "maintenance") {
      do {
        var maintenance = try Maintenance(options, requests: requests) { reports.take($0) }
        publisher.publish(maintenance.load())
        meanwhile()
        isLoaded.value.store(true, ordering: .releasing)
        maintenance.run(publisher: publisher) {}
      } catch {
        Issue.record(error)
      }
    }
    #expect(eventually { isLoaded.value.load(ordering: .acquiring) })
  }

  private final class Flag: Sendable { let value = Atomic<Bool>(false) }

  func reload() { requests.reload() }

  var codes: [String] { reports.codes.withLock { $0 } }

  /// How often something was found, told in words or only counted.
  func count(of code: String) -> Int {
    codes.count { $0 == code } + reports.omitted.withLock { $0[code] ?? 0 }
  }

  /// Waits until a host is served so.
  func serves(_ host: String, _ expected: String) -> Bool {
    eventually { publisher.current.association(host) == expected }
  }

  func stop() {
    requests.stop()
    thread.join()
  }
}

/// Waits for a condition, looking each millisecond; false after a time that is long on any machine.
func eventually(_ condition: () -> Bool) -> Bool {
  let end = Posix.Clock.monotonicMilliseconds() + 45_000
  while Posix.Clock.monotonicMilliseconds() < end {
    if condition() { return true }
    _ = poll(nil, 0, 1)
  }
  return condition()
}

@Suite struct MaintenanceTests {
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
    folder.makeFolder("domains")
  }

  func options(_ watch: HostingOptions.Watch) -> HostingOptions {
    var options = HostingOptions()
    options.domains = folder("domains")
    options.watch = watch
    return options
  }

  @Test(arguments: HostingOptions.Watch.allCases)
  func `what changes is served, however it is found`(_ watch: HostingOptions.Watch) throws {
    folder.write("domains/a.test.json", "{}")
    folder.write("domains/b.test/apple-app-site-association", "{}")
    folder.write("store/c", "{}")
    folder.link("domains/c.test.json", to: "../store/c")
    folder.write("domains/..1/d.test.json", "{}")
    folder.write("domains/..2/d.test.json", #"{"d":2}"#)
    folder.link("domains/..data", to: "..1")
    folder.link("domains/d.test.json", to: "..data/d.test.json")
    let running = try RunningMaintenance(options(watch))
    defer { running.stop() }
    for host in ["a.test", "b.test", "c.test", "d.test"] {
      #expect(running.publisher.current.association(host) == "{}")
    }
    // Written in place, replaced by a rename, in a folder, behind a link, a link set elsewhere.
    folder.write("domains/a.test.json", #"{"a":2}"#)
    #expect(running.serves("a.test", #"{"a":2}"#))
    folder.write("domains/.new", #"{"a":3}"#)
    folder.rename("domains/.new", to: "domains/a.test.json")
    #expect(running.serves("a.test", #"{"a":3}"#))
    folder.write("domains/b.test/.well-known/apple-app-site-association", #"{"b":2}"#)
    #expect(running.serves("b.test", #"{"b":2}"#))
    folder.write("domains/b.test/.well-known/apple-app-site-association", #"{"b":3}"#)
    #expect(running.serves("b.test", #"{"b":3}"#))
    folder.write("store/c", #"{"c":2}"#)
    #expect(running.serves("c.test", #"{"c":2}"#))
    folder.link("domains/..data", to: "..2")
    #expect(running.serves("d.test", #"{"d":2}"#))
    // New, removed, from file to folder.
    folder.write("domains/e.test.json", "{}")
    #expect(running.serves("e.test", "{}"))
    folder.remove("domains/e.test.json")
    #expect(running.serves("e.test", "no site"))
    folder.remove("domains/a.test.json")
    folder.write("domains/a.test/apple-app-site-association", #"{"a":4}"#)
    #expect(running.serves("a.test", #"{"a":4}"#))
    // Broken: what was served stays, and it is told.
    folder.write("domains/b.test/.well-known/apple-app-site-association", "[]")
    #expect(eventually { running.codes.contains("A002") })
    #expect(running.publisher.current.association("b.test") == #"{"b":3}"#)
    #expect(running.codes.contains("H011") == false || watch == .auto)
  }

  @Test func `a deep tree made all at once is served`() throws {
    let running = try RunningMaintenance(options(.auto))
    defer { running.stop() }
    // Each file comes just when its folder is found: many times, to meet every order.
    for index in 0..<50 {
      folder.write("domains/h\(index).test/.well-known/apple-app-site-association", "{}")
    }
    for index in 0..<50 { #expect(running.serves("h\(index).test", "{}")) }
    // And all of it is watched.
    for index in 0..<50 {
      folder.write("domains/h\(index).test/.well-known/apple-app-site-association", #"{"b":1}"#)
    }
    for index in 0..<50 { #expect(running.serves("h\(index).test", #"{"b":1}"#)) }
  }

  @Test func `a folder that is replaced as a whole is followed`() throws {
    folder.write("domains/a.test.json", #"{"v":1}"#)
    folder.write("next/a.test.json", #"{"v":2}"#)
    folder.write("next/b.test.json", #"{"v":2}"#)
    let running = try RunningMaintenance(options(.auto))
    defer { running.stop() }
    #expect(running.serves("a.test", #"{"v":1}"#))
    folder.rename("domains", to: "last")
    folder.rename("next", to: "domains")
    #expect(running.serves("a.test", #"{"v":2}"#))
    #expect(running.serves("b.test", #"{"v":2}"#))
    // The new one is watched.
    folder.write("domains/a.test.json", #"{"v":3}"#)
    #expect(running.serves("a.test", #"{"v":3}"#))
    // Away for long: everything stays, until it is there again.
    folder.rename("domains", to: "away")
    #expect(eventually { running.codes.contains("H001") })
    #expect(running.publisher.current.association("a.test") == #"{"v":3}"#)
    folder.write("domains/c.test.json", "{}")
    #expect(running.serves("c.test", "{}"))
    #expect(running.serves("a.test", "no site"))
  }

  @Test func `what happens before anything is watched is seen`() throws {
    folder.write("domains/a.test.json", #"{"v":1}"#)
    folder.write("domains/b.test.json", #"{"v":1}"#)
    folder.write("domains/c.test.json", #"{"v":1}"#)
    let running = try RunningMaintenance(options(.auto)) { [folder] in
      folder.write("domains/a.test.json", #"{"v":22}"#)
      folder.remove("domains/b.test.json")
      folder.write("domains/d.test.json", #"{"v":22}"#)
    }
    defer { running.stop() }
    #expect(running.serves("a.test", #"{"v":22}"#))
    #expect(running.serves("b.test", "no site"))
    #expect(running.serves("c.test", #"{"v":1}"#))
    #expect(running.serves("d.test", #"{"v":22}"#))
  }

  @Test func `a folder that goes before it is watched is told of, and one in its place served`()
    throws
  {
    folder.write("domains/a.test.json", #"{"v":1}"#)
    folder.write("next/a.test.json", #"{"v":2}"#)
    let running = try RunningMaintenance(options(.auto)) { [folder] in
      folder.rename("domains", to: "away")
    }
    defer { running.stop() }
    #expect(eventually { running.codes.contains("H001") })
    #expect(running.serves("a.test", #"{"v":1}"#))
    folder.rename("next", to: "domains")
    #expect(running.serves("a.test", #"{"v":2}"#))
  }

  @Test func `a folder that is not there yet is waited for`() throws {
    var options = options(.auto)
    options.domains = folder("to/come/domains")
    let running = try RunningMaintenance(options)
    defer { running.stop() }
    #expect(running.codes.contains("H001"))
    folder.write("to/come/domains/a.test.json", "{}")
    #expect(running.serves("a.test", "{}"))
  }

  @Test func `a request to reload finds what nobody told of`() throws {
    folder.write("domains/a.test.json", "{}")
    let running = try RunningMaintenance(options(.auto))
    defer { running.stop() }
    let before = running.publisher.generation
    running.reload()
    folder.write("domains/a.test.json", "{ }")
    running.reload()
    #expect(running.serves("a.test", "{ }"))
    #expect(running.publisher.generation > before)
  }

  @Test func `what does not change is not published again`() throws {
    folder.write("domains/a.test.json", "{}")
    folder.write("domains/b.test.json", "{}")
    let running = try RunningMaintenance(options(.auto))
    defer { running.stop() }
    let site = running.publisher.current.site(for: "b.test")
    let before = running.publisher.generation
    folder.touch("domains/b.test.json", 1_000_000_000)
    #expect(eventually { running.publisher.generation == before + 1 })
    folder.touch("domains/b.test.json", 1_000_000_000)
    folder.write("domains/a.test.json", "{ }")
    #expect(running.serves("a.test", "{ }"))
    #expect(running.publisher.generation == before + 2)
    #expect(
      site?.association.content
        === running.publisher.current.site(for: "b.test")?.association.content)
  }

  @Test func `a large folder is served first, then compressed and told of`() throws {
    let count = LoadingLimits.entriesAtOnce + 10
    for index in 0..<count {
      folder.write("domains/h\(index).test.json", LargeFolderTests.file("h\(index)"))
    }
    let running = try RunningMaintenance(options(.auto))
    defer { running.stop() }
    let first = running.publisher.current
    #expect(first.sites.count == count)
    // The contents that are served already get it: no request finds another version.
    #expect(eventually { first.sites.allSatisfy { $0.association.content?.gzip != nil } })
    #expect(eventually { running.codes.count == LoadingLimits.toldPerCode })
    #expect(Set(running.codes) == ["A082"])
    #expect(running.publisher.current === first)
    // Afterwards a change is found as always.
    folder.write("domains/h7.test.json", "{ }")
    #expect(running.serves("h7.test", "{ }"))
  }

  @Test func `without HTTPS there is nothing to wake for`() throws {
    var options = options(.auto)
    options.ticketRotation = 0
    let maintenance = try Maintenance(options, requests: try MaintenanceRequests()) { _ in }
    let later = Posix.Clock.monotonicMilliseconds() + 1_000_000
    #expect(maintenance.waitingTime(later) == Int32.max)
  }

  @Test func `the dates of certificates are looked at each hour, however long tickets are good`()
    throws
  {
    var options = options(.auto)
    options.certificates = folder("certificates")
    options.ticketRotation = 7 * 86_400_000
    let maintenance = try Maintenance(options, requests: try MaintenanceRequests()) { _ in }
    #expect(maintenance.waitingTime(Posix.Clock.monotonicMilliseconds()) <= 3_600_000)
  }
}
