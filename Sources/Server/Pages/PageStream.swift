internal import Posix
internal import Synchronization

/// An answer that does not end, such as server-sent events: any thread writes into it, the listener's
/// thread sends.
package final class PageStream: Sendable {
  private struct State {
    var waiting: [UInt8]
    var isOver = false
    var control: PageControl?
  }

  private let limit: Int
  private let state: Mutex<State>
  /// Sent when nothing else was, to show that it lives.
  let heartbeat: [UInt8]

  /// - Parameters:
  ///   - first: sent first, and not counted.
  ///   - limit: bytes that wait for the reader; for one more it is given up.
  package init(first: [UInt8], limit: Int, heartbeat: [UInt8]) {
    self.limit = limit + first.count
    self.heartbeat = heartbeat
    state = Mutex(State(waiting: first))
  }

  /// Adds to what is sent. False when nobody reads any more: the reader has gone, or was so slow that
  /// it has been given up.
  package func push(_ bytes: [UInt8]) -> Bool {
    let (isOpen, control) = state.withLock { state -> (Bool, PageControl?) in
      if state.isOver { return (false, nil) }
      state.waiting += bytes
      if state.waiting.count > limit {
        state.isOver = true
        state.waiting = []
      }
      return (!state.isOver, state.control)
    }
    control?.wakeup.signal()
    return isOpen
  }

  func attach(_ control: PageControl) { state.withLock { $0.control = control } }

  /// What has come since it was asked last; nil when it is over.
  func take() -> [UInt8]? {
    state.withLock { state in
      if state.isOver { return nil }
      let bytes = state.waiting
      state.waiting = []
      return bytes
    }
  }

  /// Nobody reads any more.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
      state.control = nil
    }
  }
}
