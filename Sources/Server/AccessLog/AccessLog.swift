internal import Logging
internal import Posix
internal import Synchronization

/// The access log: one line for each answer, written by a thread of its own.
///
/// Event loops never wait for it. Each gathers the lines of a turn and hands them over when it can;
/// what the disk or the reader of standard output cannot take in time is dropped, and how many lines
/// that were is told in the server's log.
final class AccessLog: Sendable {
  let options: AccessLogOptions
  /// One for each event loop.
  let channels: [AccessLogChannel]
  private let alarm: AccessLogAlarm
  private let hasEnded: Wakeup
  private let requests = Mutex(Requests())
  private let log: Logger
  /// Lines that were not written since the start.
  let lostLines = Atomic<Int>(0)
  private let thread = Mutex<Thread?>(nil)

  private struct Requests {
    var reopens = false
    var ends = false
  }

  /// Opens the file and starts the thread.
  ///
  /// Throws why the file cannot be opened.
  init(_ options: AccessLogOptions, loops: Int, log: Logger) throws(SystemError) {
    self.options = options
    self.log = log
    let alarm = try AccessLogAlarm()
    self.alarm = alarm
    hasEnded = try Wakeup()
    channels = (0..<loops).map { _ in AccessLogChannel(alarm) }
    let destination = try Self.open(options.target)
    let first = FirstDestination(destination)
    let started = try Thread(named: "access-log") { [self] in
      guard let destination = first.take() else { return }
      var writing = AccessLogWriting(destination, log: log)
      do throws(SystemError) {
        var poller = try Poller(capacity: 1)
        try poller.add(alarm.wakeup.descriptor, token: 0, interest: .read)
        run(&writing, &poller)
      } catch {
        log.error("the access log is not written: \(error)")
      }
      hasEnded.signal()
    }
    thread.withLock { $0 = started }
  }

  fileprivate static func open(
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
    requests.withLock { $0.reopens = true }
    alarm.wakeup.signal()
  }

  /// Writes what waits, but not for longer than `AccessLogLimits.closing`.
  func close() {
    requests.withLock { $0.ends = true }
    alarm.wakeup.signal()
    do throws(SystemError) {
      var poller = try Poller(capacity: 1)
      try poller.add(hasEnded.descriptor, token: 0, interest: .read)
      let end = Clock.monotonicMilliseconds() + AccessLogLimits.closing
      while true {
        let rest = end - Clock.monotonicMilliseconds()
        if rest <= 0 || poller.wait(milliseconds: Int32(clamping: rest)) > 0 { break }
      }
    } catch {
      // Without a descriptor left there is no way to wait for a time only.
      log.error("the access log may not be complete: \(error)")
    }
  }

  // MARK: The writing thread

  private func run(_ writing: inout AccessLogWriting, _ poller: inout Poller) {
    while true {
      let asked = requests.withLock { requests in
        defer { requests.reopens = false }
        return requests
      }
      // What came before a file was renamed belongs into the old one.
      let hasWritten = writing.write(from: channels)
      lostLines.store(writing.lostInAll, ordering: .relaxed)
      if asked.reopens { reopen(&writing) }
      if asked.ends { break }
      if hasWritten {
        _ = poller.wait(milliseconds: AccessLogLimits.nap)
        alarm.wakeup.acknowledge()
        continue
      }
      writing.forgetMemory()
      alarm.willSleep()
      let isIdle = channels.allSatisfy(\.isEmpty)
      if isIdle { _ = poller.wait(milliseconds: writing.tellsLater ? 1_000 : -1) }
      alarm.hasWoken()
    }
    writing.tellOfLost(now: .max)
  }

  private func reopen(_ writing: inout AccessLogWriting) {
    do throws(SystemError) {
      writing.replace(try Self.open(options.target))
    } catch {
      log.error("the access log goes on in the old file: \(error)")
    }
  }
}

/// Hands the destination from the thread that opened it to the one that writes.
private final class FirstDestination: Sendable {
  private let destination: Mutex<LogDestination?>

  init(_ destination: consuming LogDestination) { self.destination = Mutex(destination) }

  func take() -> LogDestination? {
    destination.withLock { destination -> LogDestination? in destination.take() }
  }
}
