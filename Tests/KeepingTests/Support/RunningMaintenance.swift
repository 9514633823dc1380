import CatalogSupport
import Diagnostics
import Foundation
import Posix
import Synchronization
import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

/// A maintenance thread at work on a folder of its own. It ends with the last reference to it.
final class RunningMaintenance: Sendable {
  let publisher: CatalogPublisher
  private let requests: MaintenanceRequests
  private let thread: Posix.Thread
  private let reports: Reports
  private let isStopped = Atomic(false)

  final class Reports: Sendable {
    let codes = Mutex<[String]>([])
    let omitted = Mutex<[String: Int]>([:])
    func take(_ report: Report) {
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
    let publisher = CatalogPublisher(Catalog(sites: [], material: nil))
    self.publisher = publisher
    let isLoaded = Flag()
    thread = try Posix.Thread(named: "maintenance") {
      do {
        let maintenance = try Maintenance(options, requests: requests) { reports.take($0) }
        publisher.publish(maintenance.load())
        meanwhile()
        isLoaded.value.store(true, ordering: .releasing)
        maintenance.run(publisher: publisher)
      } catch {
        Issue.record(error)
      }
    }
    #expect(eventually { isLoaded.value.load(ordering: .acquiring) })
  }

  private final class Flag: Sendable { let value = Atomic<Bool>(false) }

  var codes: [String] { reports.codes.withLock { $0 } }

  /// How often something was found, reported in words or only counted.
  func count(of code: String) -> Int {
    codes.count { $0 == code } + reports.omitted.withLock { $0[code] ?? 0 }
  }

  /// Waits until a host is served so.
  func serves(_ host: String, _ expected: String) -> Bool {
    eventually { publisher.current.association(host) == expected }
  }

  func stop() {
    if isStopped.exchange(true, ordering: .relaxed) { return }
    requests.stop()
    thread.join()
  }

  deinit { stop() }
}

/// Waits for a condition, which is checked each millisecond; false after a time that is long on any
/// machine.
func eventually(_ condition: () -> Bool) -> Bool {
  let end = Posix.Clock.monotonicMilliseconds() + 45_000
  while Posix.Clock.monotonicMilliseconds() < end {
    if condition() { return true }
    _ = poll(nil, 0, 1)
  }
  return condition()
}
