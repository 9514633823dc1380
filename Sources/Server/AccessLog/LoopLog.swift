internal import Bytes
internal import Catalog
internal import HTTP
internal import Posix
internal import Settings

/// One event loop's part of the access log. Collects the lines of one turn of the loop, and passes
/// the lines to the writer at the end of that turn. The type is a struct, because Swift checks each
/// access to a variable of a class at run time.
struct LoopLog {
  private let queue: LineQueue
  private let thread: WriterThread
  private let lostLines: LostLines
  private var writer: AccessLineWriter
  /// The number of lines that are in the buffer of `writer` and have not been passed to the log's
  /// thread yet.
  private var written = 0

  /// - Parameter loop: The number of the event loop, from 0.
  init(_ log: AccessLog, loop: Int, _ wellKnown: WellKnownFiles) {
    queue = log.queues[loop]
    thread = log.writer
    lostLines = log.lostLines
    writer = AccessLineWriter(isJSON: log.options.isJSON, log.options.addresses, wellKnown)
  }

  /// Whether some lines have not been passed to the log's thread yet. If so, the loop soon tries
  /// again.
  var hasWaiting: Bool { written > 0 }

  /// Begins a turn of the event loop. `time` is the time that all lines of this turn contain, in
  /// nanoseconds since 1970.
  mutating func beginTurn(_ time: Int64) { writer.setTime(time) }

  /// Returns the end of every log line about a client: the logged part of the client's address, and
  /// the line break.
  mutating func lineEnd(client: IPAddress?) -> [UInt8] { writer.end(client: client) }

  /// Appends a line about a response to this loop's part of the log.
  ///
  /// - Parameters:
  ///   - host: The host of the request; empty if the request has no valid host.
  ///   - start: When the request began, in nanoseconds of the monotonic clock.
  mutating func note(
    _ request: borrowing AnsweredRequest, host: Span<UInt8>, start: Int64, on connection: Connection
  ) {
    let isPlain = request.fault == nil && request.client == connection.peer
    let lineEnd =
      isPlain
      ? connection.lineEnd : writer.end(client: request.client, because: request.fault)
    writer.append(
      host: host, path: request.answer.subject.path, status: request.answer.status,
      bytes: request.answer.omitsBody ? 0 : request.answer.representation.body.count,
      microseconds: UInt64(max(0, Clock.monotonicNanoseconds() - start)) / 1000,
      version: connection.version, fetcher: request.fetcher, client: lineEnd.span)
    written += 1
  }

  /// Ends the turn of the event loop, and passes its lines to the log's thread. Does not wait if
  /// that thread is using the queue.
  mutating func endTurn() {
    if written == 0 { return }
    switch queue.offer(writer.lines.memory[..<writer.lines.count]) {
    case .taken: thread.wake()
    // Keep the lines. The loop tries to pass them again at the end of its next turn.
    case .busy where writer.lines.count < AccessLogLimits.keptBytes: return
    case .busy, .full: lostLines.note(written)
    }
    written = 0
    writer.removeAll()
  }
}
