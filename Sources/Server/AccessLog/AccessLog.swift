internal import Bytes
internal import Logging
internal import Posix
internal import Synchronization

/// The access log: one line for each response, written by a separate thread.
///
/// Event loops never wait for the log. Each loop collects the lines of one turn, and then passes
/// them to the writer. If the writer is using the loop's queue at that moment, the loop tries again
/// later. If the disk or the reader of standard output is too slow, lines are dropped, and the
/// server's log reports the number of dropped lines.
final class AccessLog: Sendable {
  let options: AccessLogOptions
  /// One queue for each event loop.
  let queues: [LineQueue]
  let writer: WriterThread
  /// Only the writer's thread locks this mutex, so locking it never waits.
  private let writing: Mutex<AccessLogWriting>
  private let wantsReopening = Atomic<Bool>(false)
  private let log: Logger
  let lostLines: LostLines

  /// Opens the log's file or standard output, and starts the writer's thread.
  init(_ options: AccessLogOptions, loops: Int, log: Logger) throws(ServerError) {
    self.options = options
    self.log = log
    let lostLines = LostLines(log)
    self.lostLines = lostLines
    queues = (0..<loops).map { _ in LineQueue(limit: AccessLogLimits.waitingBytes) }
    let destination = try mapping(Self.open(options.target), to: ServerError.accessLog)
    writing = Mutex(AccessLogWriting(destination, lostLines))
    do throws(SystemError) {
      writer = try WriterThread()
      try writer.start(named: "access-log") { [self] in write(isLast: $0) }
    } catch {
      throw .system(error)
    }
  }

  private static func open(
    _ target: AccessLogOptions.Target
  ) throws(SystemError) -> LogDestination {
    switch target {
    case .standardOutput: return LogDestination()
    case .file(let path): return try LogDestination(path: path)
    }
  }

  /// Opens the log's file again, after somebody renamed or removed the old file.
  func reopen() {
    if options.target == .standardOutput { return }
    wantsReopening.store(true, ordering: .releasing)
    writer.wake()
  }

  /// Writes the lines that wait to be written. Stops after the time limit
  /// `AccessLogLimits.closing`, even if lines remain.
  func close() { writer.close(withinMilliseconds: AccessLogLimits.closing) }

  // MARK: The writer's thread

  private func write(isLast: Bool) -> WriterThread.Pause {
    writing.withLock { writing in
      let reopens = wantsReopening.exchange(false, ordering: .acquiring)
      // First write the lines that already wait, because they belong in the old file.
      let hasWritten = writing.write(from: queues)
      if reopens { reopen(&writing) }
      if isLast { lostLines.report(now: .max) }
      if hasWritten { return .gather(milliseconds: AccessLogLimits.nap) }
      writing.forgetMemory()
      return .sleep(until: lostLines.hasUnreported ? Clock.monotonicMilliseconds() + 1_000 : nil)
    }
  }

  private func reopen(_ writing: inout AccessLogWriting) {
    do throws(SystemError) {
      writing.replace(try Self.open(options.target))
    } catch {
      log.error("the access log continues in the old file: \(error)")
    }
  }
}
