internal import HTTP
internal import Hosting
internal import Posix
internal import TLS

/// What one event loop counts. Only its thread writes, so adding is a load and a store and no
/// locked instruction; others read at any time, and see numbers that are a moment apart.
///
/// Each table is as large as what it is counted by has cases.
final class LoopCounters: Sendable {
  /// Answers, by status and class of fetcher: see `requestIndex`.
  let requests = Counters(Status.allCases.count * FetcherClass.allCases.count)
  private let fetchers = FetcherClass.allCases.count
  /// Requests by how long they took: one for each bound of `DurationHistogram`, one beyond.
  let durations = Counters(DurationHistogram.bounds.count + 1)
  /// Nanoseconds of all of them together.
  let durationSum = Counters(1)
  /// Bytes of answers given to the kernel or to TLS, and how many of them were bodies.
  let sentBytes = Counters(1)
  let bodyBytes = Counters(1)
  /// Connections taken, by whether they are secure.
  let accepted = Counters(2)
  /// Connections there are, by `ConnectionState`.
  let open = Counters(MetricsSnapshot.ConnectionState.allCases.count)
  /// Handshakes that ended well, by version and by whether they resumed a session.
  let handshakes = Counters(MetricsSnapshot.TLSVersion.allCases.count * 2)
  /// Handshakes that failed, by `TLSFailure.Reason`.
  let handshakeFailures = Counters(TLSFailure.Reason.allCases.count)
  /// Connections that ended because their time was over, by `ConnectionState`.
  let timeouts = Counters(MetricsSnapshot.ConnectionState.allCases.count)
  /// How often a limit was hit, by `ServerLimit`.
  let limits = Counters(ServerLimit.allCases.count)
  /// Seconds since 1970 at which each class of fetchers last asked for a file of a domain.
  let lastFetches = Counters(FetcherClass.allCases.count)

  @inline(__always)
  func requestIndex(_ status: Status, _ fetcher: FetcherClass) -> Int {
    status.index &* fetchers &+ Int(fetcher.rawValue)
  }
}
