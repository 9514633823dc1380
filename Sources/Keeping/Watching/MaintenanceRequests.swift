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

  /// Milliseconds until maintenance is to stop; `.max` if there is no such request.
  func timeLeft(now: Int64) -> Int64 {
    let time = stopTime.load(ordering: .acquiring)
    return time == .max ? .max : max(0, time - now)
  }

  /// Whether maintenance is to stop now.
  var isStopping: Bool { timeLeft(now: Clock.monotonicMilliseconds()) == 0 }

  /// What other threads have requested.
  struct Requested {
    var isReload = false
    /// The new options of a reload; nil if they have not changed.
    var options: HostingOptions?
    /// The requests to confirm holds.
    var confirmations: [Confirmation] = []
  }

  /// Removes and returns what was requested.
  func take() -> Requested {
    var requested = Requested()
    // First, so that a request that comes meanwhile wakes maintenance again.
    wakeup.acknowledge()
    requested.isReload = wantsReload.exchange(false, ordering: .acquiringAndReleasing)
    // Options are stored before their request.
    if requested.isReload { requested.options = options.withLock { $0.take() } }
    requested.confirmations = confirmations.withLock { confirmations in
      defer { confirmations = [] }
      return confirmations
    }
    return requested
  }
}

/// A request of another thread to confirm holds, and its result.
final class Confirmation: Sendable {
  let ids: Set<String>
  private let confirmed = Mutex<Set<String>?>(nil)
  private let done: Wakeup

  init(_ ids: Set<String>) throws(SystemError) {
    self.ids = ids
    done = try Wakeup()
  }

  /// Answers the request with the IDs that were held and are now applied.
  func finish(_ ids: Set<String>) {
    confirmed.withLock { $0 = ids }
    done.signal()
  }

  /// Waits for the result; nil if there is none in time.
  func result(until end: Deadline) -> Set<String>? {
    _ = done.descriptor.waitUntilReady(forWriting: false, until: end)
    return confirmed.withLock { $0 }
  }
}
