package import Posix
internal import Synchronization

/// How other threads ask the maintenance thread for something.
package final class MaintenanceRequests: Sendable {
  let wakeup: Wakeup
  private let wantsReload = Atomic<Bool>(false)
  private let options = Mutex<HostingOptions?>(nil)
  /// When to stop, in milliseconds of the monotonic clock.
  private let stopTime = Atomic<Int64>(.max)
  private let ended = Atomic<Bool>(false)

  package init() throws(SystemError) {
    wakeup = try Wakeup()
  }

  /// Reads everything again, now.
  ///
  /// - Parameter options: what is in force from then on; nil when that has not changed.
  package func reload(_ options: HostingOptions? = nil) {
    if let options { self.options.withLock { $0 = options } }
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

  /// The options that came with requests to reload; nil when they have not changed since the last
  /// call. To be asked after `takeReload`: options are there before their request is.
  func takeOptions() -> HostingOptions? {
    options.withLock { options in
      defer { options = nil }
      return options
    }
  }
}
