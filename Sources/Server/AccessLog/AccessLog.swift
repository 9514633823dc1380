internal import Logging
internal import Posix
internal import Synchronization

/// The access log: one line for each answer, written by a thread of its own.
///
/// Event loops never wait for it. Each gathers the lines of a turn and hands them over when it can;
/// what the disk or the reader of standard output cannot take in time is dropped, and the server's
/// log reports how many lines that were.
final class AccessLog: Sendable {
  let options: AccessLogOptions
  /// One for each event loop.
  let queues: [LineQueue]
  let writer: WriterThread
  /// Only the writer's thread takes it.
  private let writing: Mutex<AccessLogWriting>
  private let wantsReopening = Atomic<Bool>(false)
  private let log: Logger
  /// Lines that were not written since the start.
  let lostLines = Atomic<Int>(0)

  /// Opens the file and starts the thread.
  init(_ options: AccessLogOptions, loops: Int, log: Logger) throws(ServerError) {
    self.options = options
    self.log = log
    queues = (0..<loops).map { _ in LineQueue(limit: AccessLogLimits.waitingBytes) }
    do throws(SystemError) {
      writing = Mutex(AccessLogWriting(try Self.open(options.target), log: log))
    } catch {
      throw .accessLog(error)
    }
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

  /// Opens the file again: the old one was renamed, to be kept or thrown away.
  func reopen() {
    if options.target == .standardOutput { return }
    wantsReopening.store(true, ordering: .releasing)
    writer.wake()
  }

  /// Writes what waits, but not for longer than `AccessLogLimits.closing`.
  func close() { writer.close(withinMilliseconds: AccessLogLimits.closing) }

  // MARK: The writing thread

  private func write(isLast: Bool) -> WriterThread.Pause {
    writing.withLock { writing in
      let reopens = wantsReopening.exchange(false, ordering: .acquiring)
      // What came before a file was renamed belongs into the old one.
      let hasWritten = writing.write(from: queues)
      lostLines.store(writing.lostInAll, ordering: .relaxed)
      if reopens { reopen(&writing) }
      if isLast { writing.tellOfLost(now: .max) }
      if hasWritten { return .gather(milliseconds: AccessLogLimits.nap) }
      writing.forgetMemory()
      return .sleep(until: writing.tellsLater ? Clock.monotonicMilliseconds() + 1_000 : nil)
    }
  }

  private func reopen(_ writing: inout AccessLogWriting) {
    do throws(SystemError) {
      writing.replace(try Self.open(options.target))
    } catch {
      log.error("the access log goes on in the old file: \(error)")
    }
  }
}
