internal import Posix

/// Asks for several domains until all have what is waited for, or time is over.
package struct WaitRound {
  private struct Entry {
    /// As the user wrote it.
    let domain: String
    let waiting: Waiting
    var state: Waiting.State?
    /// Moments of the monotonic clock, in milliseconds.
    var nextLook: Int64 = 0
    var lastReport: Int64 = 0

    var isReached: Bool { state?.isReached ?? false }
  }

  private var entries: [Entry]
  private let deadline: Deadline
  private let tell: (String, Waiting.State, _ isLast: Bool) -> Void

  /// Milliseconds after which a state is reported again.
  private static let heartbeat: Int64 = 60_000

  /// - Parameters:
  ///   - limit: milliseconds for all of them.
  ///   - tell: takes a domain as the user wrote it, what is so, and whether time is over.
  package init(
    _ waits: [(String, Waiting)], limit: Int64,
    tell: @escaping (String, Waiting.State, Bool) -> Void
  ) {
    entries = waits.map { Entry(domain: $0, waiting: $1) }
    deadline = Deadline(afterMilliseconds: limit)
    self.tell = tell
  }

  /// Whether all was reached.
  package mutating func run() -> Bool {
    while true {
      for index in entries.indices where !entries[index].isReached { look(index) }
      let open = entries.filter { !$0.isReached }
      if open.isEmpty { return true }
      if deadline.isOver { break }
      let now = Clock.monotonicMilliseconds()
      let next = open.map { min($0.nextLook, $0.lastReport + Self.heartbeat) }.min() ?? now
      let pause = min(next - now, deadline.millisecondsLeft)
      Thread.pause(milliseconds: Int32(clamping: max(pause, 1)))
    }
    for entry in entries {
      guard let state = entry.state, !state.isReached else { continue }
      tell(entry.domain, state, true)
    }
    return false
  }

  private mutating func look(_ index: Int) {
    let before = entries[index].state
    var now = Clock.monotonicMilliseconds()
    if now >= entries[index].nextLook {
      let state = entries[index].waiting.ask()
      now = Clock.monotonicMilliseconds()
      entries[index].state = state
      entries[index].nextLook = now + state.pause
    }
    guard let state = entries[index].state else { return }
    let isOld = now - entries[index].lastReport >= Self.heartbeat
    if state.isReached || state.words != before?.words || isOld {
      entries[index].lastReport = now
      tell(entries[index].domain, state, false)
    }
  }
}
