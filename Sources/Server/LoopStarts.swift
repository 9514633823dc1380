internal import Posix
internal import Synchronization

/// Tells when every event loop has begun, or that one cannot: a listening socket without a loop would
/// take connections that nobody answers.
final class LoopStarts: Sendable {
  private struct State {
    var missing: Int
    var error: SystemError?
  }

  private let state: Mutex<State>
  private let changed: Wakeup

  init(loops: Int) throws(SystemError) {
    state = Mutex(State(missing: loops))
    changed = try Wakeup()
  }

  /// A loop has begun, or cannot.
  func note(_ error: SystemError? = nil) {
    state.withLock { state in
      state.missing -= 1
      state.error = state.error ?? error
    }
    changed.signal()
  }

  /// Waits for all of them.
  ///
  /// Throws why one of them cannot begin.
  func wait() throws(SystemError) {
    var poller = try Poller(capacity: 1)
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
