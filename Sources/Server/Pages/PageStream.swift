internal import Posix
internal import Synchronization

/// An answer that does not end, such as server-sent events: any thread writes into it, the
/// connection's thread sends.
package final class PageStream: Sendable {
  private struct State {
    var waiting: [UInt8]
    var isOver = false
    var news: PageNews?
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
    let (isOpen, news) = state.withLock { state -> (Bool, PageNews?) in
      if state.isOver { return (false, nil) }
      state.waiting += bytes
      if state.waiting.count > limit {
        state.isOver = true
        state.waiting = []
      }
      return (!state.isOver, state.news)
    }
    news?.wakeup.signal()
    return isOpen
  }

  /// From now on the connection's thread is woken when something has come.
  func attach(_ news: PageNews) { state.withLock { $0.news = news } }

  /// What has come since it was asked last; nil when it is over.
  func take() -> [UInt8]? {
    state.withLock { state in
      if state.isOver { return nil }
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  /// Nobody reads any more.
  func end() {
    state.withLock { state in
      state.isOver = true
      state.waiting = []
      state.news = nil
    }
  }
}

/// Wakes the thread that sends a stream.
final class PageNews: Sendable {
  let wakeup: Wakeup

  init() throws(SystemError) { wakeup = try Wakeup() }
}
