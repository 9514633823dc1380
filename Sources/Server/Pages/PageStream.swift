internal import Posix
internal import Synchronization

/// An endless response, such as server-sent events. Any thread can write to it. The connection's
/// thread sends the bytes.
package final class PageStream: Sendable {
  private struct State {
    var waiting: [UInt8]
    var isOver = false
    var wakeup: Wakeup?
  }

  private let limit: Int
  private let state: Mutex<State>
  /// The bytes to send after a period of silence, to show that the stream is alive.
  let heartbeat: [UInt8]

  /// - Parameters:
  ///   - first: Bytes to send first. They do not count toward the limit.
  ///   - limit: The maximum bytes that wait for the reader. If more bytes wait, the stream ends.
  package init(first: [UInt8], limit: Int, heartbeat: [UInt8]) {
    self.limit = limit + first.count
    self.heartbeat = heartbeat
    state = Mutex(State(waiting: first))
  }

  /// Adds bytes to the stream. Returns false if the reader has disconnected or is too slow.
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

  /// Sets the wakeup that signals new bytes to the connection's thread.
  func attach(_ wakeup: Wakeup) { state.withLock { $0.wakeup = wakeup } }

  /// Removes and returns the new bytes; nil if the stream has ended.
  func take() -> [UInt8]? {
    state.withLock { state in
      if state.isOver { return nil }
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Notes that the reader has disconnected.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
      state.wakeup = nil
    }
  }
}
