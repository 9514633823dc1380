package import Posix
package import Settings
internal import Synchronization

/// Requests of other threads to the maintenance thread.
package final class MaintenanceRequests: Sendable {
  let wakeup: Wakeup
  private let wantsReload = Atomic<Bool>(false)
  private let options = Mutex<HostingOptions?>(nil)
  private let confirmations = Mutex<[Confirmation]>([])
  /// When to stop, in milliseconds of the monotonic clock.
  private let stopTime = Atomic<Int64>(.max)
  /// Set once maintenance has stopped as requested.
  package let ended: Completion

  package init() throws(SystemError) {
    wakeup = try Wakeup()
    ended = try Completion()
  }

  /// Reads everything again, now.
  ///
  /// - Parameter options: The new options; nil if they have not changed.
  package func reload(_ options: HostingOptions? = nil) {
    if let options { self.options.withLock { $0 = options } }
    wantsReload.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Applies the losses with these IDs, and waits until they take effect. Returns the IDs that were
  /// held; nil if maintenance does not answer in time.
  package func confirm(_ ids: Set<String>, until end: Deadline) throws(SystemError) -> Set<String>?
  {
    let confirmation = try Confirmation(ids)
    confirmations.withLock { $0.append(confirmation) }
    wakeup.signal()
    return confirmation.result(until: end)
  }

  /// - Parameter delay: Milliseconds until it stops.
  package func stop(afterMilliseconds delay: Int64 = 0) {
    stopTime.store(Clock.monotonicMilliseconds() + delay, ordering: .releasing)
    wakeup.signal()
  }

  /// Call this before the functions below; otherwise a request between the calls is missed.
  func acknowledge() { wakeup.acknowledge() }

  /// Milliseconds until maintenance must stop; `.max` if there is no such request.
  func timeLeft(now: Int64) -> Int64 {
    let time = stopTime.load(ordering: .acquiring)
    return time == .max ? .max : max(0, time - now)
  }

  func takeReload() -> Bool {
    wantsReload.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Removes and returns the requests to confirm holds.
  func takeConfirmations() -> [Confirmation] {
    confirmations.withLock { confirmations in
      defer { confirmations = [] }
      return confirmations
    }
  }

  /// Returns the options of reload requests; nil if they have not changed since the last call. Call
  /// it after `takeReload`, because options are stored before their request.
  func takeOptions() -> HostingOptions? {
    options.withLock { options in
      defer { options = nil }
      return options
    }
  }
}
