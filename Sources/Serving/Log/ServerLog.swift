internal import Diagnostics
internal import Logging
internal import Posix
internal import Reporting
internal import Settings
internal import Synchronization

/// The server's log on the standard error stream, with one line for each event. Also writes
/// messages for people to standard output.
///
/// A thread that logs an event never waits for a reader: it only adds lines to a bounded queue. For
/// each of the two streams, another thread writes the queued lines. Lines that do not fit into the
/// queue are dropped. The log later shows the number of dropped events.
final class ServerLog: Sendable {
  private let format: LogFormat
  private let leastSevere: Mutex<Logger.Level>
  private let write: @Sendable (String) -> Void
  private let rates = Mutex(EventRates())
  private let events = LineQueue(limit: LogLimits.waitingBytes)
  private let eventWriter: WriterThread
  private let announcements = LineQueue(limit: LogLimits.announcedBytes)
  private let announcer: WriterThread

  /// - Parameter write: Writes lines to the stream. This function may block.
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

  /// The minimum severity of logged events. It may change at any time.
  var level: Logger.Level {
    get { leastSevere.withLock { $0 } }
    set { leastSevere.withLock { $0 = newValue } }
  }

  /// The logger for other parts of the program.
  var logger: Logger { Logger(label: "aasa") { _ in StandardErrorLog(self) } }

  func report(_ diagnostic: Diagnostic) {
    report(LogEntry(diagnostic), .code(diagnostic.code))
  }

  /// - Parameter count: The number of additional diagnostics with this code.
  func report(_ count: Int, moreOf code: String) {
    report(LogEntry(.warning, .more(count, code: code)), nil)
  }

  /// Prints lines for people to standard output. If the log has the JSON format, writes the lines
  /// to the log, because standard output is then only for the access log.
  func announce(_ lines: String) {
    if format == .json {
      for line in lines.split(separator: "\n") {
        report(LogEntry(.info, .message(String(line), metadata: [:])), nil)
      }
      return
    }
    let text = ReportStyle.ofOutput?.styled(lines) ?? lines
    // Queue all lines together, so that either all or none are written.
    announcements.add(Array(text.utf8)[...], count: text.count { $0 == "\n" })
    announcer.wake()
  }

  func report(_ fault: StartFault) {
    for entry in fault.entries { report(entry, nil) }
  }

  /// Logs a fatal error, or an error for which no fix is known.
  func report(error text: String) {
    report(LogEntry(.error, .message(text, metadata: [:])), nil)
  }

  /// - Parameter kind: The kind of the event for the limits in `EventRates`; nil to log the event
  ///   without these limits.
  func report(_ entry: LogEntry, _ kind: LogEntry.Kind?) {
    if entry.level < level { return }
    let line = entry.line(as: format, time: Clock.wallMilliseconds())
    let now = Clock.monotonicMilliseconds()
    if let kind, !rates.withLock({ $0.admits(entry, as: kind, now: now) }) {
      // Wake the writer thread, so that it logs the number of unlogged events when the window ends.
      return eventWriter.wake()
    }
    events.add(Array(line.utf8)[...], count: 1)
    eventWriter.wake()
  }

  /// Writes the waiting lines. The time limits in `LogLimits` apply, so that a blocked reader does
  /// not keep the server from exiting.
  func close() {
    announcer.close(withinMilliseconds: LogLimits.announcing)
    eventWriter.close(withinMilliseconds: LogLimits.closing)
  }

  // MARK: The thread that writes the log

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
          "\(events) not logged, because the reader of the log is too slow", metadata: [:])
      ).line(as: format, time: time)
    }
    if !text.isEmpty { write(text) }
    return .sleep(until: next)
  }
}

/// Passes swift-log events to the server's log. All events from one line of source code have the
/// same kind.
struct StandardErrorLog: LogHandler {
  var metadata: Logger.Metadata = [:]
  /// The level of the server's log, which may change at any time.
  var logLevel: Logger.Level {
    get { log.level }
    set { log.level = newValue }
  }
  private let log: ServerLog

  init(_ log: ServerLog) {
    self.log = log
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let metadata = metadata.merging(event.metadata ?? [:]) { $1 }
    let entry = LogEntry(event.level, .message("\(event.message)", metadata: metadata))
    log.report(entry, .place(event.file, line: event.line))
  }
}
