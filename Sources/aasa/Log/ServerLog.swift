internal import Diagnostics
internal import Hosting
internal import Logging
internal import Posix
internal import Synchronization

/// The server's log on the standard error stream: one line for each event.
///
/// Who tells of an event never waits for who reads the log: lines are put into a bounded queue, and
/// a thread of its own writes them. What does not fit is dropped, and how much that was is told.
final class ServerLog: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var dropped = 0
    var rates = EventRates()
    var isClosing = false
  }

  private let format: LogFormat
  let level: Logger.Level
  private let write: @Sendable (String) -> Void
  private let state = Mutex(State())
  private let hasNews: Wakeup
  private let hasEnded: Wakeup
  private let thread = Mutex<Thread?>(nil)

  /// - Parameter write: writes lines, and may take its time.
  init(
    _ format: LogFormat, _ level: LogLevel,
    write: @escaping @Sendable (String) -> Void = { writeToStandard(2, $0) }
  ) throws(SystemError) {
    self.format = format
    self.level = level.loggerLevel
    self.write = write
    hasNews = try Wakeup()
    hasEnded = try Wakeup()
    let started = try Thread(named: "log") { [self] in run() }
    thread.withLock { $0 = started }
  }

  /// For what the program's other parts tell.
  var logger: Logger {
    var logger = Logger(label: "aasa") { _ in StandardErrorLog(self) }
    logger.logLevel = level
    return logger
  }

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
    // A reader that has stopped reading does not keep anybody from loading files. What fits is
    // written at once, so that who reads one line of it has all.
    let isShort = lines.utf8.count <= LogLimits.announcedBytes
    for piece in isShort ? [lines] : list.map({ $0 + "\n" })
    where standardOutputIsReady(within: LogLimits.announcing) {
      writeToStandard(1, piece)
    }
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
    state.withLock { state in
      if let kind, !state.rates.admits(entry, as: kind, now: now) { return }
      if state.waiting.count + line.utf8.count > LogLimits.waitingBytes {
        state.dropped += 1
      } else {
        state.waiting += line.utf8
      }
    }
    hasNews.signal()
  }

  /// Writes what waits, for so long as `LogLimits` allows: a reader that is stuck keeps no server
  /// from ending.
  func close() {
    state.withLock { $0.isClosing = true }
    hasNews.signal()
    do throws(SystemError) {
      var poller = try Poller(capacity: 1)
      try poller.add(hasEnded.descriptor, token: 0, interest: .read)
      let end = Clock.monotonicMilliseconds() + LogLimits.closing
      while poller.wait(milliseconds: Int32(max(0, end - Clock.monotonicMilliseconds()))) == 0,
        Clock.monotonicMilliseconds() < end
      {}
    } catch {
      thread.withLock { $0 }?.join()
    }
  }

  // MARK: The writing thread

  private func run() {
    do throws(SystemError) {
      var poller = try Poller(capacity: 1)
      try poller.add(hasNews.descriptor, token: 0, interest: .read)
      while true {
        let next = state.withLock { $0.rates.nextSummary }
        let delay = next.map { max(0, $0 - Clock.monotonicMilliseconds()) }
        _ = poller.wait(milliseconds: delay.map { Int32(clamping: $0) } ?? -1)
        hasNews.acknowledge()
        if writeWaiting() { break }
      }
    } catch {
      write("error: the log cannot be written: \(error)\n")
    }
    hasEnded.signal()
  }

  /// Writes what waits. True when it was the last.
  private func writeWaiting() -> Bool {
    let (bytes, summaries, dropped, isLast) = state.withLock { state in
      let now = state.isClosing ? Int64.max : Clock.monotonicMilliseconds()
      let summaries = state.rates.takeSummaries(now: now)
      defer {
        state.waiting.removeAll(keepingCapacity: state.waiting.count < 16_384)
        state.dropped = 0
      }
      return (state.waiting, summaries, state.dropped, state.isClosing)
    }
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
    return isLast
  }
}
