internal import Posix
internal import Synchronization

/// Waits until every event loop has started or one loop has failed to start. Without this wait, a
/// listening socket of a loop that failed would accept connections but never answer them.
final class LoopStarts: Sendable {
  private struct State {
    var missing: Int
    var error: SystemError?
    /// The wakeup that signals each start. Nil after the wait, so that the wakeup's descriptor is
    /// closed although the loops still refer to this object.
    var changed: Wakeup?
  }

  private let state: Mutex<State>

  init(loops: Int) throws(SystemError) {
    let changed = try Wakeup()
    state = Mutex(State(missing: loops, error: nil, changed: changed))
  }

  /// Notes that a loop has started, or has failed to start.
  func note(_ error: SystemError? = nil) {
    state.withLock { state in
      state.missing -= 1
      state.error = state.error ?? error
      state.changed?.signal()
    }
  }

  /// Waits until every loop has started, or one loop has failed to start. Call this function only
  /// once.
  ///
  /// - Throws: The error of a loop that could not start.
  func wait() throws(SystemError) {
    var poller = try Poller(capacity: 1)
    defer { state.withLock { $0.changed = nil } }
    guard let changed = state.withLock({ $0.changed }) else { return }
    try poller.add(changed.descriptor, token: 0, interest: .read)
    while true {
      changed.acknowledge()
      let (missing, error) = state.withLock { ($0.missing, $0.error) }
      if let error { throw error }
      if missing == 0 { return }
      _ = poller.wait(milliseconds: -1)
    }
  }
}
