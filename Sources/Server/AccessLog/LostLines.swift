internal import Bytes
internal import Logging
internal import Posix
internal import Synchronization

/// Counts and reports lines that are missing in the access log. Each thread reports the lines that
/// it loses itself. The writer's thread cannot make all reports, because a slow reader of the log
/// may block that thread.
final class LostLines: Sendable {
  private struct Report {
    /// The number of lost lines that have been reported so far.
    var lines = 0
    var lastError: SystemError?
    /// The earliest time of the next report, in milliseconds of the monotonic clock.
    var next = Int64.min
  }

  private let count = Atomic<Int>(0)
  private let report = Mutex(Report())
  private let log: Logger

  init(_ log: Logger) { self.log = log }

  /// The number of lines lost since the start.
  var inAll: Int { count.load(ordering: .relaxed) }

  var hasUnreported: Bool { report.withLock { $0.lines < inAll } }

  /// Counts lines that an event loop could not pass to the writer, and reports them.
  func note(_ lines: Int) {
    count.add(lines, ordering: .relaxed)
    // If another thread is making a report at this moment, that report or the next one includes
    // these lines.
    report.withLockIfAvailable { tell(&$0, now: Clock.monotonicMilliseconds()) }
  }

  /// Counts lines that the log's thread could not write because of an error.
  func note(_ lines: Int, because error: SystemError) {
    count.add(lines, ordering: .relaxed)
    report.withLock { $0.lastError = error }
  }

  /// Reports lost lines, unless the last report was too recent.
  func report(now: Int64) { report.withLock { tell(&$0, now: now) } }

  private func tell(_ report: inout Report, now: Int64) {
    let lost = inAll - report.lines
    guard lost > 0, now >= report.next else { return }
    let reason =
      report.lastError.map { "\($0.reason)" } ?? "the reader or the disk of the log is too slow"
    log.warning("the access log lost \(lost.counting("line")): \(reason)")
    report = Report(
      lines: report.lines + lost,
      next: now == .max ? now : now + AccessLogLimits.reportPause)
  }
}
