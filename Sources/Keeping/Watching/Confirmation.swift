internal import Posix
internal import Synchronization

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
