internal import Posix
internal import Synchronization

/// A response without an end, such as server-sent events. Any thread can add bytes to it, and the
/// connection's thread sends them.
package final class PageStream: Sendable {
  private struct State {
    var waiting: [UInt8]
    var isOver = false
    var wakeup: Wakeup?
  }

  private let limit: Int
  private let state: Mutex<State>
  /// The bytes that show that the stream is alive. The connection's thread sends them if it had no
  /// other bytes to send for a while.
  let heartbeat: [UInt8]

  /// - Parameters:
  ///   - first: The bytes to send first. The limit does not include these bytes.
  ///   - limit: The maximum bytes that wait to be sent to the client. If more bytes wait, the
  ///     stream ends.
  package init(first: [UInt8], limit: Int, heartbeat: [UInt8]) {
    self.limit = limit + first.count
    self.heartbeat = heartbeat
    state = Mutex(State(waiting: first))
  }

  /// Adds bytes to the stream. Returns false if the stream has ended, because the client has
  /// disconnected or is too slow.
  package func push(_ bytes: [UInt8]) -> Bool {
    let (isOpen, wakeup) = state.withLock { state -> (Bool, Wakeup?) in
      if state.isOver { return (false, nil) }
      state.waiting += bytes
      if state.waiting.count > limit {
        state.isOver = true
        state.waiting = []
      }
      return (!state.isOver, state.wakeup)
    }
    wakeup?.signal()
    return isOpen
  }

  /// Sets the wakeup that wakes the connection's thread when the stream has new bytes.
  func attach(_ wakeup: Wakeup) { state.withLock { $0.wakeup = wakeup } }

  /// Removes and returns the bytes that wait to be sent; nil if the stream has ended.
  func take() -> [UInt8]? {
    state.withLock { state in
      if state.isOver { return nil }
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Ends the stream, because the client has disconnected.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
      state.wakeup = nil
    }
  }
}
