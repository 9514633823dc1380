package import Catalog
package import Posix
internal import Synchronization

/// The numbers of fetches in each of the last 24 hours, by class of client.
///
/// The event loops only increment their counters. This type regularly adds the increase of these
/// counters to the current hour, so that a request needs no extra work.
package struct FetchHistory: Sendable, Equatable {
  package static let hours = 24

  /// For each hour, oldest first, the numbers of fetches by class of client, in the order of
  /// `FetcherClass`. The last element is the current hour.
  private var buckets: [[UInt64]]
  /// The numbers of fetches that the event loops had counted when they were last read, in the order
  /// of `FetcherClass`.
  private var counted: [UInt64]
  /// The current hour as a number of hours since 1970.
  private var hour: Int64

  /// - Parameter now: Seconds since 1970.
  package init(now: Int64) {
    counted = FetcherClass.allCases.map { _ in 0 }
    buckets = Array(repeating: counted, count: Self.hours)
    hour = now / 3_600
  }

  /// Adds the increase of the counters to the current hour. If the clock was set back, adds the
  /// increase to the newest hour instead.
  package mutating func take(_ totals: [UInt64], now: Int64) {
    let passed = max(0, now / 3_600 - hour)
    hour += passed
    for _ in 0..<min(passed, Int64(Self.hours)) {
      buckets.removeFirst()
      buckets.append(counted.map { _ in 0 })
    }
    for (index, total) in totals.enumerated() where total > counted[index] {
      buckets[Self.hours - 1][index] += total - counted[index]
      counted[index] = total
    }
  }

  /// Returns the number of fetches by a class of client in each hour, oldest hour first.
  package func fetches(by fetcher: FetcherClass) -> [UInt64] {
    buckets.map { $0[Int(fetcher.rawValue)] }
  }
}

/// Updates a fetch history: reads the counters once a minute, on its own thread.
package final class FetchHistoryKeeper: Sendable {
  private let metrics: ServerMetrics
  private let history: Mutex<FetchHistory>
  private let thread: StoppableThread

  /// The time in milliseconds between two readings of the counters.
  private static let pause: Int64 = 60_000

  package init(_ metrics: ServerMetrics) throws(SystemError) {
    self.metrics = metrics
    history = Mutex(FetchHistory(now: Clock.wallSeconds()))
    thread = try StoppableThread()
  }

  package func start() throws(SystemError) {
    try thread.start(named: "history") { [self] in
      while thread.pause(milliseconds: Self.pause) { _ = current }
    }
  }

  package func stop() { thread.stop() }

  /// The history, including all fetches up to now.
  package var current: FetchHistory {
    history.withLock { history in
      history.take(metrics.fileAnswers, now: Clock.wallSeconds())
      return history
    }
  }
}
