package import Posix
package import Settings
internal import Synchronization

/// The requests that other threads send to the maintenance thread.
package final class MaintenanceRequests: Sendable {
  let wakeup: Wakeup
  private let wantsReload = Atomic<Bool>(false)
  private let options = Mutex<HostingOptions?>(nil)
  /// When to stop, in milliseconds of the monotonic clock.
  private let stopTime = Atomic<Int64>(.max)
  /// Signaled after maintenance has stopped as requested.
  package let ended: Completion

  package init() throws(SystemError) {
    wakeup = try Wakeup()
    ended = try Completion()
  }

  /// Requests that the maintenance thread read everything again now.
  ///
  /// - Parameter options: The new options; nil if they have not changed.
  package func reload(_ options: HostingOptions? = nil) {
    if let options { self.options.withLock { $0 = options } }
    wantsReload.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// - Parameter delay: Milliseconds until maintenance stops.
  package func stop(afterMilliseconds delay: Int64 = 0) {
    stopTime.store(Clock.monotonicMilliseconds() + delay, ordering: .releasing)
    wakeup.signal()
  }

  /// Returns the milliseconds until maintenance must stop; `.max` if no stop was requested.
  func timeLeft(now: Int64) -> Int64 {
    let time = stopTime.load(ordering: .acquiring)
    return time == .max ? .max : max(0, time - now)
  }

  /// Whether maintenance must stop now.
  var isStopping: Bool { timeLeft(now: Clock.monotonicMilliseconds()) == 0 }

  /// Removes and returns what other threads have requested: whether to reload, and the new options
  /// of the reload. The options are nil if they have not changed.
  func take() -> (isReload: Bool, options: HostingOptions?) {
    // Acknowledge the wakeup first. Then a request that arrives during this function wakes the
    // maintenance thread again.
    wakeup.acknowledge()
    let isReload = wantsReload.exchange(false, ordering: .acquiringAndReleasing)
    // `reload` stores the options before the request. Therefore, if the request is visible here,
    // the options are visible too.
    return (isReload, isReload ? options.withLock { $0.take() } : nil)
  }
}
