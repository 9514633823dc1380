internal import Logging

/// Keeps an event that comes again and again from filling the log: of each kind the first are told,
/// the others counted, and the count is told when the time is over.
struct EventRates {
  private struct Count {
    let level: Logger.Level
    /// The first event's message.
    let example: String
    /// Milliseconds of the monotonic clock.
    let end: Int64
    var events = 0
  }

  private var counts: [LogEntry.Kind: Count] = [:]

  /// Whether an event is to be told. One that is not is counted.
  mutating func admits(
    _ entry: LogEntry, as wanted: LogEntry.Kind, now: Int64
  ) -> Bool {
    let isKnown = counts[wanted] != nil || counts.count < LogLimits.kinds
    let kind = isKnown ? wanted : .others
    var count = counts[kind]
    // One whose surplus is still to be told goes on.
    if let known = count, known.end <= now, known.events <= LogLimits.eventsPerKind { count = nil }
    var current =
      count ?? Count(level: entry.level, example: entry.message, end: now + LogLimits.window)
    current.events += 1
    counts[kind] = current
    return current.events <= LogLimits.eventsPerKind
  }

  /// What is to be told of kinds whose time is over; they begin anew.
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

  /// When there will be something to take, in milliseconds of the monotonic clock; nil when nothing
  /// is counted.
  var nextSummary: Int64? {
    counts.values.filter { $0.events > LogLimits.eventsPerKind }.map(\.end).min()
  }
}

/// The limits of the server's log.
enum LogLimits {
  /// Events of one kind that are told within the window.
  static let eventsPerKind = 20
  /// Milliseconds.
  static let window: Int64 = 10_000
  /// Kinds that are told apart within the window.
  static let kinds = 128
  /// Bytes that wait to be written; what does not fit is dropped, and counted.
  static let waitingBytes = 262_144
  /// Bytes that wait to be written to standard output; what does not fit is left out.
  static let announcedBytes = 65_536
  /// Milliseconds for standard output to take what waits when the server ends.
  static let announcing: Int64 = 1_000
  /// Milliseconds for what waits to be written when the server ends.
  static let closing: Int64 = 2_000
}
