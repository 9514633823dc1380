internal import Bytes
internal import Catalog
internal import HTTP
internal import Posix

/// Counts and logs the responses of one event loop, and records fetches of domains' files.
///
/// Within one turn of the event loop, the observer combines equal counts: all requests of a turn
/// have the same end time, and often the same domain.
struct RequestObserver: ~Copyable {
  let counters: LoopCounters
  private(set) var clock = TurnClock()

  /// The number of requests that began in this turn of the event loop and were answered in it.
  private var answered: UInt64 = 0
  /// The start times of requests that began before this turn of the event loop and were answered in
  /// it.
  private var earlierStarts: [Int64] = []
  private var fetches = PendingFetches()
  /// This loop's part of the access log; nil if the server writes no access log.
  private var log: LoopLog?

  init(counters: LoopCounters, log: LoopLog? = nil) {
    self.counters = counters
    self.log = log
    self.log?.beginTurn(clock.wallNanoseconds)
  }

  /// Begins a turn of the event loop: reads the clock.
  mutating func beginTurn() {
    clock.advance()
    log?.beginTurn(clock.wallNanoseconds)
  }

  /// Whether the last turn of the event loop could not pass its access log lines to the log's
  /// thread.
  var hasWaitingLines: Bool { log?.hasWaiting ?? false }

  /// Returns the end of every access log line about a client; empty if the server writes no access
  /// log. The method is mutating, because Swift would otherwise copy the log.
  mutating func lineEnd(client: IPAddress?) -> [UInt8] { log?.lineEnd(client: client) ?? [] }

  /// Counts and logs a response.
  ///
  /// - Parameters:
  ///   - host: The host of the request; empty if the request has no valid host.
  ///   - catalog: The catalog that the response is from, to record the fetch of a file. Nil if
  ///     there is no fetch to record, because the fetch was already recorded or the request's path
  ///     is unknown.
  ///   - start: When the request began, in nanoseconds of the monotonic clock; 0 if it began in
  ///     this turn of the event loop.
  @inline(__always)
  mutating func note(
    _ request: borrowing AnsweredRequest, host: Span<UInt8>, from catalog: Catalog?, start: Int64,
    on connection: Connection
  ) {
    if let catalog {
      noteFetch(request, from: catalog)
    } else if request.answer.subject.path < 0 {
      counters.notePath(-1)
    }
    if log != nil {
      log?.note(
        request, host: host, start: start == 0 ? clock.nanoseconds : start, on: connection)
    }
    counters.requests.add(counters.requestIndex(request.answer.status, request.fetcher))
    if !request.answer.omitsBody {
      counters.bodyBytes.add(0, UInt64(request.answer.representation.body.count))
    }
    if start == 0 {
      answered &+= 1
    } else {
      earlierStarts.append(start)
    }
  }

  /// Counts a response by its path. If the response is a domain's file from `catalog`, records the
  /// fetch of this file.
  @inline(__always)
  mutating func noteFetch(_ request: borrowing AnsweredRequest, from catalog: Catalog) {
    if request.answer.subject.site < 0 {
      counters.notePath(request.answer.subject.path)
      return
    }
    let key = PendingFetches.Key(request)
    if key == fetches.key {
      fetches.count &+= 1
    } else {
      writeFetches(catalog)
      fetches = PendingFetches(key: key, status: request.answer.status, count: 1)
    }
  }

  private mutating func writeFetches(_ catalog: Catalog) {
    guard fetches.count > 0 else { return }
    let key = fetches.key
    let now = clock.wallSeconds
    if key.path > 0 { counters.notePath(key.path, fetches.count) }
    catalog.site(at: Int32(key.site)).noteFetches(
      of: AnswerSubject(path: key.path).file, by: key.fetcher, time: now,
      status: fetches.status.code, count: fetches.count)
    counters.lastFetches.set(
      Int(key.fetcher.rawValue), to: UInt64(truncatingIfNeeded: max(0, now)))
    fetches = PendingFetches()
  }

  /// Ends a turn of the event loop: adds the combined counts to the counters.
  ///
  /// - Parameter catalog: The catalog that answered the requests of this turn.
  mutating func endTurn(_ catalog: Catalog) {
    writeFetches(catalog)
    log?.endTurn()
    if answered == 0 && earlierStarts.isEmpty { return }
    let end = Clock.monotonicNanoseconds()
    let duration = UInt64(end - clock.nanoseconds)
    if answered > 0 {
      counters.durations.add(DurationHistogram.bucket(of: duration), answered)
      counters.durationSum.add(0, answered &* duration)
      answered = 0
    }
    for start in earlierStarts {
      let duration = UInt64(end - start)
      counters.durations.add(DurationHistogram.bucket(of: duration))
      counters.durationSum.add(0, duration)
    }
    earlierStarts.removeAll(keepingCapacity: true)
  }
}

/// The number of consecutive equal fetches that have not been added to the site's record yet. The
/// event loops share the record, so one addition for all these fetches is faster.
private struct PendingFetches {
  /// Identifies equal fetches by the site, the status, the path and the class of fetcher. These
  /// four values are packed into one number, because each request compares the key.
  struct Key: Equatable {
    private let bits: UInt64

    @inline(__always)
    init(_ request: borrowing AnsweredRequest) {
      bits =
        UInt64(UInt32(bitPattern: request.answer.subject.site)) << 32
        | UInt64(truncatingIfNeeded: request.answer.status.index) << 16
        | UInt64(UInt8(bitPattern: request.answer.subject.path)) << 8
        | UInt64(request.fetcher.rawValue)
    }

    /// Makes a key that differs from the key of every fetch.
    init() { bits = .max }

    var site: Int32 { Int32(bitPattern: UInt32(truncatingIfNeeded: bits >> 32)) }
    var path: Int8 { Int8(truncatingIfNeeded: bits >> 8) }
    var fetcher: FetcherClass { FetcherClass(rawValue: UInt8(truncatingIfNeeded: bits)) ?? .other }
  }

  var key = Key()
  var status = Status.ok
  var count: UInt64 = 0
}
