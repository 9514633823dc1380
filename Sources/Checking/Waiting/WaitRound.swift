internal import Posix

/// Checks several domains repeatedly, until all of them have reached the goal or the time limit has
/// passed.
package struct WaitRound {
  private struct Entry {
    /// The domain as the user wrote it.
    let domain: String
    let waiting: Waiting
    var state: Waiting.State?
    /// When the domain is checked next, in milliseconds of the monotonic clock.
    var nextCheck: Int64 = 0
    var lastReport: Int64 = 0

    var isReached: Bool { state?.isReached ?? false }
  }

  private var entries: [Entry]
  private let deadline: Deadline
  private let report: (String, Waiting.State, _ isLast: Bool) -> Void

  /// The time in milliseconds after which a state is reported again even if it has not changed.
  private static let heartbeat: Int64 = 60_000

  /// - Parameters:
  ///   - limit: The time limit for all domains together, in milliseconds.
  ///   - report: Called with a domain as the user wrote it, its state, and whether this is the last
  ///     report.
  package init(
    _ waits: [(String, Waiting)], limit: Int64,
    report: @escaping (String, Waiting.State, Bool) -> Void
  ) {
    entries = waits.map { Entry(domain: $0, waiting: $1) }
    deadline = Deadline(afterMilliseconds: limit)
    self.report = report
  }

  /// Waits until all domains have reached the goal, or the time limit has passed. Returns whether
  /// all domains have reached the goal.
  package mutating func run() -> Bool {
    while true {
      for index in entries.indices where !entries[index].isReached { check(index) }
      let open = entries.filter { !$0.isReached }
      if open.isEmpty { return true }
      if deadline.isOver { break }
      let now = Clock.monotonicMilliseconds()
      let next = open.map { min($0.nextCheck, $0.lastReport + Self.heartbeat) }.min() ?? now
      let pause = min(next - now, deadline.millisecondsLeft)
      Thread.pause(milliseconds: Int32(clamping: max(pause, 1)))
    }
    for entry in entries {
      guard let state = entry.state, !state.isReached else { continue }
      report(entry.domain, state, true)
    }
    return false
  }

  private mutating func check(_ index: Int) {
    let before = entries[index].state
    var now = Clock.monotonicMilliseconds()
    if now >= entries[index].nextCheck {
      let state = entries[index].waiting.ask()
      now = Clock.monotonicMilliseconds()
      entries[index].state = state
      entries[index].nextCheck = now + state.pause
    }
    guard let state = entries[index].state else { return }
    let isOld = now - entries[index].lastReport >= Self.heartbeat
    if state.isReached || state.words != before?.words || isOld {
      entries[index].lastReport = now
      report(entries[index].domain, state, false)
    }
  }
}
