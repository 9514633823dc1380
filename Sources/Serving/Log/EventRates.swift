internal import Keeping
internal import Logging

/// Keeps frequent events from filling the log. Within a time window, only the first events of each
/// kind are logged. Further events of this kind are only counted, and the log shows the number of
/// these events at the end of the window.
struct EventRates {
  private struct Count {
    let level: Logger.Level
    /// The message of the first event of the window.
    let example: String
    /// The end of the window, in milliseconds of the monotonic clock.
    let end: Int64
    var events = 0
  }

  private var counts: [LogEntry.Kind: Count] = [:]

  /// Returns whether the event should be logged. If not, the event is only counted.
  mutating func admits(
    _ entry: LogEntry, as wanted: LogEntry.Kind, now: Int64
  ) -> Bool {
    let isKnown = counts[wanted] != nil || counts.count < LogLimits.kinds
    let kind = isKnown ? wanted : .others
    var count = counts[kind]
    // Begin a new window only if the old window has no unlogged events. Otherwise `takeSummaries`
    // must first return the number of unlogged events.
    if let known = count, known.end <= now, known.events <= LogLimits.eventsPerKind { count = nil }
    var current =
      count ?? Count(level: entry.level, example: entry.message, end: now + LogLimits.window)
    current.events += 1
    counts[kind] = current
    return current.events <= LogLimits.eventsPerKind
  }

  /// Removes the counts of all windows that have ended. For each window with unlogged events,
  /// returns a log entry with the number of unlogged events.
  mutating func takeSummaries(now: Int64) -> [LogEntry] {
    let over = counts.filter { $0.value.end <= now }
    for kind in over.keys { counts[kind] = nil }
    return over.sorted { $0.value.end < $1.value.end }.compactMap { kind, count in
      let surplus = count.events - LogLimits.eventsPerKind
      if surplus <= 0 { return nil }
      return switch kind {
      case .code(let code): LogEntry(count.level, .more(surplus, code: code))
      case .place, .others: LogEntry(count.level, .alike(surplus, to: count.example))
      }
    }
  }

  /// The time of the next call of `takeSummaries`, in milliseconds of the monotonic clock; nil if
  /// there are no unlogged events.
  var nextSummary: Int64? {
    counts.values.filter { $0.events > LogLimits.eventsPerKind }.map(\.end).min()
  }
}

/// The limits of the server's log.
enum LogLimits {
  /// The maximum number of logged events of one kind in one window. This number is enough for a
  /// report on hosts without a certificate: one line for each of the first `namedHosts` hosts, and
  /// one line with the number of the other hosts.
  static let eventsPerKind = LoadingLimits.namedHosts + 1
  /// The length of a time window, in milliseconds.
  static let window: Int64 = 10_000
  /// The maximum number of kinds of events that are counted separately at the same time.
  static let kinds = 128
  /// The maximum number of bytes that wait to be written to the log. Further lines are dropped and
  /// counted.
  static let waitingBytes = 262_144
  /// The maximum number of bytes that wait to be written to standard output. Further lines are
  /// dropped.
  static let announcedBytes = 65_536
  /// When the server ends, it stops writing the waiting lines to standard output after this number
  /// of milliseconds.
  static let announcing: Int64 = 1_000
  /// When the server ends, it stops writing the waiting lines to the log after this number of
  /// milliseconds.
  static let closing: Int64 = 2_000
}
