internal import Catalog
internal import HTTP
internal import Posix
internal import Settings
internal import TLS

/// The counters of one event loop. Only the loop's thread writes them, so an addition is a load and
/// a store without a locked instruction. Other threads can read them at any time, but not all at
/// the same moment.
///
/// Each table has one entry for each case of the type that indexes it.
final class LoopCounters: Sendable {
  /// Responses by status and class of fetcher (see `requestIndex`).
  let requests = Counters(Status.allCases.count * FetcherClass.allCases.count)
  private let fetchers = FetcherClass.allCases.count
  /// Responses by path: first unknown paths, then the paths in the order of `WellKnownFiles.paths`.
  /// Requests for the association file are not counted by path, because nearly all requests are for
  /// this file. Their number is the total minus the other numbers.
  let paths = Counters(WellKnownFiles.most + 1)
  /// Requests by duration, with one entry for each bound of `DurationHistogram` and one for longer
  /// durations.
  let durations = Counters(DurationHistogram.bounds.count + 1)
  /// The sum of all durations in nanoseconds.
  let durationSum = Counters(1)
  /// The bytes of responses passed to the kernel or to TLS, and the bytes of bodies.
  let sentBytes = Counters(1)
  let bodyBytes = Counters(1)
  /// Accepted connections: the first counter is for connections without TLS, the second with TLS.
  let accepted = Counters(2)
  /// Open connections, by `Connection.Kind`.
  let open = Counters(Connection.Kind.allCases.count)
  /// Successful handshakes, by `TLSVersion` and by whether they resumed a session.
  let handshakes = Counters(TLSVersion.allCases.count * 2)
  /// Handshakes that failed, by `TLSFailure.Reason`.
  let handshakeFailures = Counters(TLSFailure.Reason.allCases.count)
  /// Connections that timed out, by `Connection.Kind`.
  let timeouts = Counters(Connection.Kind.allCases.count)
  /// How often each limit was reached, by `ServerLimit`.
  let limits = Counters(ServerLimit.allCases.count)
  /// When each class of fetcher last fetched a domain's file, in seconds since 1970.
  let lastFetches = Counters(FetcherClass.allCases.count)

  /// Counts responses by the index of their path, which is negative for unknown paths.
  ///
  /// Never inlined, to keep the code for the association file short. That code does not call this
  /// function.
  @inline(never)
  func notePath(_ path: Int8, _ count: UInt64 = 1) { paths.add(Int(path) &+ 1, count) }

  func noteHit(of limit: ServerLimit) {
    if let index = ServerLimit.allCases.firstIndex(of: limit) { limits.add(index) }
  }

  @inline(__always)
  func requestIndex(_ status: Status, _ fetcher: FetcherClass) -> Int {
    status.index &* fetchers &+ Int(fetcher.rawValue)
  }
}

/// A limit that the server has enforced.
enum ServerLimit: String, Sendable, CaseIterable {
  /// `max-connections`: the least valuable connection was closed.
  case connections
  /// `max-connections-per-client`: the client's new connection was closed.
  case connectionsPerClient = "connections-per-client"
  /// The process or the system had no free descriptor.
  case descriptors
}

/// The version of a TLS connection.
enum TLSVersion: Int, Sendable, CaseIterable {
  case tls12, tls13, other

  /// Makes the version from its number in the TLS protocol.
  init(number: Int32) {
    switch number {
    case 0x0303: self = .tls12
    case 0x0304: self = .tls13
    default: self = .other
    }
  }

  /// The name that OpenSSL uses: `TLSv1.3`.
  var name: String {
    switch self {
    case .tls12: "TLSv1.2"
    case .tls13: "TLSv1.3"
    case .other: "other"
    }
  }
}
