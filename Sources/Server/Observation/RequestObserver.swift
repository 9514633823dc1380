internal import HTTP
internal import Hosting
internal import Posix

/// Counts what one event loop answers, and notes who has fetched which file.
///
/// What is the same for many requests of a turn is put together: a turn has one end, and most of
/// its requests are often for one domain.
struct RequestObserver: ~Copyable {
  let counters: LoopCounters
  var clock = TurnClock()

  /// Requests that began and were answered in this turn.
  private var answered: UInt64 = 0
  /// When those began that were answered in this turn, and had begun before it.
  private var earlierStarts: [Int64] = []
  private var fetches = PendingFetches()

  init(counters: LoopCounters) { self.counters = counters }

  /// An answer is given.
  @inline(__always)
  mutating func note(
    _ answer: borrowing Answer, to fetcher: FetcherClass, on connection: Connection
  ) {
    counters.requests.add(LoopCounters.requestIndex(answer.status, fetcher))
    if !answer.omitsBody {
      counters.bodyBytes.add(0, UInt64(answer.representation.body.count))
    }
    if connection.requestStart == 0 {
      answered &+= 1
    } else {
      earlierStarts.append(connection.requestStart)
      connection.requestStart = 0
    }
  }

  /// A file of a domain is fetched; `catalog` is the one that the answer is from.
  @inline(__always)
  mutating func noteFetch(
    _ answer: borrowing Answer, by fetcher: FetcherClass, from catalog: Catalog
  ) {
    guard let site = answer.subject.site else { return }
    let key = PendingFetches.Key(
      site: site, file: answer.subject.file, status: answer.status, fetcher: fetcher)
    if fetches.isNext(key) { return }
    writeFetches(catalog)
    fetches.begin(key)
  }

  private mutating func writeFetches(_ catalog: Catalog) {
    guard let key = fetches.key else { return }
    let now = clock.wallSeconds
    catalog.sites[Int(key.site)].noteFetches(
      of: key.file, by: key.fetcher, time: now, status: key.status.code, count: fetches.count)
    counters.lastFetches.set(
      Int(key.fetcher.rawValue), to: UInt64(truncatingIfNeeded: max(0, now)))
    fetches = PendingFetches()
  }

  /// The turn ends: what was put together is counted.
  ///
  /// - Parameter catalog: the turn's.
  mutating func endTurn(_ catalog: Catalog) {
    writeFetches(catalog)
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

/// Fetches of one file of one site by one class, one after the other, that are not yet in the
/// site's record: that is shared by all loops, and written to once for all of them.
private struct PendingFetches {
  struct Key {
    let site: Int32
    let file: SiteFile
    let status: Status
    let fetcher: FetcherClass
  }

  private(set) var key: Key?
  private(set) var count: UInt64 = 0

  /// Counts a fetch when it is one more of the same.
  @inline(__always)
  mutating func isNext(_ other: Key) -> Bool {
    guard let key, key.site == other.site, key.file == other.file, key.status == other.status,
      key.fetcher == other.fetcher
    else { return false }
    count &+= 1
    return true
  }

  mutating func begin(_ key: Key) {
    self.key = key
    count = 1
  }
}
