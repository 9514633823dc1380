internal import Posix
internal import Synchronization

/// Waits until every event loop has started, or one has failed to start. A listening socket without
/// a loop would accept connections but not answer them.
final class LoopStarts: Sendable {
  private struct State {
    var missing: Int
    var error: SystemError?
    /// Nil after the wait. The wakeup's descriptor is then closed although the loops keep this
    /// object.
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

  /// Waits until every loop has started. Call this function only once.
  ///
  /// Throws the error of a loop that could not start.
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
