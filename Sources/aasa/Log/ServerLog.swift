internal import Diagnostics
internal import Hosting
internal import Logging
internal import Posix
internal import Synchronization

/// The server's log on the standard error stream: one line for each event; and what a person at the
/// terminal reads on standard output.
///
/// Whoever reports an event never waits for whoever reads the log: lines are put into bounded queues,
/// and a thread for each of the two streams writes them. What does not fit is dropped, and counted.
final class ServerLog: Sendable {
  private let format: LogFormat
  private let leastSevere: Mutex<Logger.Level>
  private let write: @Sendable (String) -> Void
  private let rates = Mutex(EventRates())
  private let events = LineQueue(limit: LogLimits.waitingBytes)
  private let eventWriter: WriterThread
  private let announcements = LineQueue(limit: LogLimits.announcedBytes)
  private let announcer: WriterThread

  /// - Parameter write: writes lines, and may take its time.
  init(
    _ format: LogFormat, _ level: LogLevel,
    write: @escaping @Sendable (String) -> Void = { writeToStandard(2, $0) }
  ) throws(SystemError) {
    self.format = format
    leastSevere = Mutex(level.loggerLevel)
    self.write = write
    eventWriter = try WriterThread()
    announcer = try WriterThread()
    try eventWriter.start(named: "log") { [self] in writeEvents(isLast: $0) }
    try announcer.start(named: "output") { [announcements] _ in
      var lines: [UInt8] = []
      announcements.take(&lines)
      _ = LogDestination().write(lines)
      return .sleep(until: nil)
    }
  }

  /// The least severe events that are written. It may change at any time.
  var level: Logger.Level {
    get { leastSevere.withLock { $0 } }
    set { leastSevere.withLock { $0 = newValue } }
  }

  /// For what the program's other parts tell.
  var logger: Logger { Logger(label: "aasa") { _ in StandardErrorLog(self) } }

  func tell(_ diagnostic: Diagnostic) {
    tell(LogEntry(diagnostic), .code(diagnostic.code))
  }

  /// - Parameter count: so many more diagnostics with this code were not told.
  func tell(_ count: Int, moreOf code: String) {
    tell(LogEntry(.warning, .more(count, code: code)), nil)
  }

  /// What a person at the terminal is told on standard output, line by line; in JSON it is part of
  /// the log, for standard output is the access log's.
  func announce(_ lines: String) {
    let list = lines.split(separator: "\n")
    if format == .json {
      for line in list { tell(LogEntry(.info, .message(String(line), metadata: [:])), nil) }
      return
    }
    // At once, so that whoever reads one line of it has all.
    announcements.add(Array(lines.utf8)[...], count: list.count)
    announcer.wake()
  }

  /// Something that went wrong for good, or that nothing can be done about.
  func tell(error text: String) {
    tell(LogEntry(.error, .message(text, metadata: [:])), nil)
  }

  /// - Parameter kind: events of one are not told too often; nil for what comes once.
  func tell(_ entry: LogEntry, _ kind: LogEntry.Kind?) {
    if entry.level < level { return }
    let line = entry.line(as: format, time: Clock.wallMilliseconds())
    let now = Clock.monotonicMilliseconds()
    if let kind, !rates.withLock({ $0.admits(entry, as: kind, now: now) }) {
      // When its time is over, the thread reports how many there were.
      return eventWriter.wake()
    }
    events.add(Array(line.utf8)[...], count: 1)
    eventWriter.wake()
  }

  /// Writes what waits, for as long as `LogLimits` allows: a reader that is stuck keeps no server
  /// from ending.
  func close() {
    announcer.close(withinMilliseconds: LogLimits.announcing)
    eventWriter.close(withinMilliseconds: LogLimits.closing)
  }

  // MARK: The writing thread

  private func writeEvents(isLast: Bool) -> WriterThread.Pause {
    var bytes: [UInt8] = []
    events.take(&bytes)
    let dropped = events.takeLost()
    let now = isLast ? .max : Clock.monotonicMilliseconds()
    let (summaries, next) = rates.withLock { ($0.takeSummaries(now: now), $0.nextSummary) }
    let time = Clock.wallMilliseconds()
    var text = String(decoding: bytes, as: UTF8.self)
    for summary in summaries { text += summary.line(as: format, time: time) }
    if dropped > 0 {
      let events = dropped == 1 ? "1 event was" : "\(dropped) events were"
      text += LogEntry(
        .warning,
        .message(
          "\(events) not told, for the log was not read as fast as it was written", metadata: [:])
      ).line(as: format, time: time)
    }
    if !text.isEmpty { write(text) }
    return .sleep(until: next)
  }
}
