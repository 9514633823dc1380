internal import HTTP
internal import Hosting
internal import Posix

/// One event loop's share of the access log: its lines of a turn, which it hands over when the turn
/// ends. It belongs to that loop's thread, and lies in the loop's own memory: each access to a
/// variable of an object would be checked at run time.
struct LoopLog {
  private let queue: LineQueue
  private let thread: WriterThread
  private var writer: AccessLineWriter
  /// Lines in the writer's memory.
  private var written = 0

  /// - Parameter loop: its number, from 0.
  init(_ log: AccessLog, loop: Int) {
    queue = log.queues[loop]
    thread = log.writer
    writer = AccessLineWriter(log.options.format, log.options.addresses)
  }

  /// Whether lines wait that could not be handed over: try again soon.
  var hasWaiting: Bool { written > 0 }

  /// A turn begins: its lines have this time, in nanoseconds since 1970.
  mutating func beginTurn(_ time: Int64) { writer.setTime(time) }

  /// How lines about a client end.
  mutating func lineEnd(client: PeerAddress?) -> [UInt8] { writer.end(client: client) }

  /// An answer is given.
  ///
  /// - Parameters:
  ///   - start: when its request began: nanoseconds of the monotonic clock.
  ///   - client: who sent the request, if that is known.
  ///   - fault: why it was refused.
  mutating func note(
    _ answer: borrowing Answer, to fetcher: FetcherClass, host: Span<UInt8>, start: Int64,
    client: PeerAddress?, because fault: RequestFault?, on connection: Connection
  ) {
    let isPlain = fault == nil && client == connection.peer
    let lineEnd = isPlain ? connection.lineEnd : writer.end(client: client, because: fault)
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
    if queue.offer(writer.lines.memory[..<writer.lines.count], count: written) {
      thread.wake()
    } else {
      // The writer is just taking what waits. Next time.
      if writer.lines.count < AccessLogLimits.keptBytes { return }
      queue.countLost(written)
    }
    written = 0
    writer.removeAll()
  }
}
