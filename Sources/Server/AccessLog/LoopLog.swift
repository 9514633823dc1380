internal import HTTP
internal import Hosting
internal import Posix
internal import Synchronization

/// One event loop's share of the access log: its lines of a turn, which it hands over when the turn
/// ends. It belongs to that loop's thread, and lies in the loop's own memory: each access to a
/// variable of an object would be checked at run time.
struct LoopLog {
  private let channel: AccessLogChannel
  private var writer: AccessLineWriter
  /// Lines in the writer's memory.
  private var written = 0

  init(_ channel: AccessLogChannel, _ options: AccessLogOptions) {
    self.channel = channel
    writer = AccessLineWriter(options.format, options.addresses)
  }

  /// Whether lines wait that could not be handed over: try again soon.
  var hasWaiting: Bool { written > 0 }

  /// A turn begins: its lines have this time, in nanoseconds since 1970.
  mutating func beginTurn(_ time: Int64) { writer.setTime(time) }

  /// An answer is given.
  ///
  /// - Parameters:
  ///   - start: when its request began: nanoseconds of the monotonic clock.
  ///   - client: who sent the request, if that is known.
  mutating func note(
    _ answer: borrowing Answer, to fetcher: FetcherClass, host: Span<UInt8>, start: Int64,
    client: PeerAddress?, on connection: Connection
  ) {
    var lineEnd = connection.lineEnd
    if lineEnd.isEmpty || client != connection.peer {
      lineEnd = writer.end(client: client)
      if client == connection.peer { connection.lineEnd = lineEnd }
    }
    writer.append(
      host: host, path: answer.subject.path, status: answer.status,
      bytes: answer.omitsBody ? 0 : answer.representation.body.count,
      microseconds: UInt64(max(0, Clock.monotonicNanoseconds() - start)) / 1000,
      version: connection.version, fetcher: fetcher, client: lineEnd.span)
    written += 1
  }

  /// The turn ends: its lines are handed over, if that can be done at once.
  mutating func endTurn() {
    if written == 0 { return }
    if !channel.offer(writer.lines, count: written) {
      // The writer is just taking what waits. Next time.
      if writer.lines.count < AccessLogLimits.keptBytes { return }
      channel.countLost(written)
    }
    written = 0
    writer.removeAll()
  }
}

/// What passes from one event loop to the thread that writes the log.
final class AccessLogChannel: Sendable {
  struct Waiting {
    var bytes: [UInt8] = []
  }

  private let waiting = Mutex(Waiting())
  private let lost = Atomic<Int>(0)
  private let alarm: AccessLogAlarm

  init(_ alarm: AccessLogAlarm) { self.alarm = alarm }

  /// Takes whole lines, or drops them when too many wait. Never waits: false when the writer has its
  /// hands on what waits.
  ///
  /// - Parameter count: how many lines they are.
  func offer(_ lines: AccessLineWriter.Lines, count: Int) -> Bool {
    let isTaken = waiting.withLockIfAvailable { waiting in
      if waiting.bytes.count + lines.count > AccessLogLimits.waitingBytes { return false }
      waiting.bytes.append(contentsOf: lines.memory[..<lines.count])
      return true
    }
    guard let isTaken else { return false }
    if !isTaken { countLost(count) }
    alarm.wakeWriter()
    return true
  }

  func countLost(_ lines: Int) { lost.add(lines, ordering: .relaxed) }

  /// Takes all that waits, and leaves `spare` for what comes; it must be empty.
  func take(_ spare: inout [UInt8]) {
    waiting.withLock { swap(&$0.bytes, &spare) }
  }

  /// How many lines were lost since the last call.
  func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }

  var isEmpty: Bool { waiting.withLock { $0.bytes.isEmpty } }
}

/// Wakes the writer, but only when it sleeps: hardly ever while there is much to write.
final class AccessLogAlarm: Sendable {
  private let isSleeping = Atomic<Bool>(false)
  let wakeup: Wakeup

  init() throws(SystemError) { wakeup = try Wakeup() }

  // Both sides write first and look then, so that at least one of them sees the other's.

  func wakeWriter() {
    if !isSleeping.load(ordering: .sequentiallyConsistent) { return }
    if isSleeping.exchange(false, ordering: .sequentiallyConsistent) { wakeup.signal() }
  }

  /// The writer is about to sleep: look again whether there is something to write.
  func willSleep() { isSleeping.store(true, ordering: .sequentiallyConsistent) }

  func hasWoken() {
    isSleeping.store(false, ordering: .sequentiallyConsistent)
    wakeup.acknowledge()
  }
}
