package import Posix
internal import Synchronization

/// How other threads ask the maintenance thread for something.
package final class MaintenanceRequests: Sendable {
  let wakeup: Wakeup
  private let wantsReload = Atomic<Bool>(false)
  private let wantsStop = Atomic<Bool>(false)
  private let ended = Atomic<Bool>(false)

  package init() throws(SystemError) {
    wakeup = try Wakeup()
  }

  /// Reads everything again, now.
  package func reload() {
    wantsReload.store(true, ordering: .releasing)
    wakeup.signal()
  }

  package func stop() {
    wantsStop.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Whether maintenance has done as it was told, and stopped.
  package var hasStopped: Bool { ended.load(ordering: .acquiring) }

  func noteStopped() { ended.store(true, ordering: .releasing) }

  /// Call it before the questions below, or a request between them is missed.
  func acknowledge() { wakeup.acknowledge() }

  func takeStop() -> Bool { wantsStop.load(ordering: .acquiring) }

  func takeReload() -> Bool {
    wantsReload.exchange(false, ordering: .acquiringAndReleasing)
  }
}
