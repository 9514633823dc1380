package import Posix
internal import Synchronization

/// How other threads ask the maintenance thread for something.
package final class MaintenanceRequests: Sendable {
  let wakeup: Wakeup
  private let wantsReload = Atomic<Bool>(false)
  /// When to stop, in milliseconds of the monotonic clock.
  private let stopTime = Atomic<Int64>(.max)
  private let ended = Atomic<Bool>(false)

  package init() throws(SystemError) {
    wakeup = try Wakeup()
  }

  /// Reads everything again, now.
  package func reload() {
    wantsReload.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// - Parameter delay: milliseconds for which it goes on as before.
  package func stop(afterMilliseconds delay: Int64 = 0) {
    stopTime.store(Clock.monotonicMilliseconds() + delay, ordering: .releasing)
    wakeup.signal()
  }

  /// Whether maintenance has done as it was told, and stopped.
  package var hasStopped: Bool { ended.load(ordering: .acquiring) }

  func noteStopped() { ended.store(true, ordering: .releasing) }

  /// Call it before the questions below, or a request between them is missed.
  func acknowledge() { wakeup.acknowledge() }

  /// Milliseconds until it is to stop; `.max` as long as nobody wants it to.
  func timeLeft(now: Int64) -> Int64 {
    let time = stopTime.load(ordering: .acquiring)
    return time == .max ? .max : max(0, time - now)
  }

  func takeReload() -> Bool {
    wantsReload.exchange(false, ordering: .acquiringAndReleasing)
  }
}
