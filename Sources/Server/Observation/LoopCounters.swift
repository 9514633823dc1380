internal import Catalog
internal import HTTP
internal import Posix
internal import Settings
internal import TLS

/// The counters of one event loop. Only the loop's thread writes them, so adding to a counter takes
/// a load and a store but no locked instruction. Other threads can read each counter at any time,
/// but cannot read several counters at the same moment.
///
/// Each table of counters has one element for each case of the type that indexes the table.
final class LoopCounters: Sendable {
  /// Responses by status and class of fetcher (see `requestIndex`).
  let requests = Counters(Status.allCases.count * FetcherClass.allCases.count)
  private let fetchers = FetcherClass.allCases.count
  /// Responses by path: first all unknown paths together, then the paths in the order of
  /// `WellKnownFiles.paths`. Requests for the association file are not counted by path, because
  /// nearly all requests are for this file. Their number is computed: the total number of responses
  /// minus the numbers in this table.
  let paths = Counters(WellKnownFiles.most + 1)
  /// Requests by duration: one counter for each bound of `DurationHistogram`, and one for durations
  /// beyond the last bound.
  let durations = Counters(DurationHistogram.bounds.count + 1)
  /// The sum of all durations in nanoseconds.
  let durationSum = Counters(1)
  /// `sentBytes` counts the bytes of responses that were passed to the kernel or to OpenSSL.
  /// `bodyBytes` counts the bytes of the responses' bodies.
  let sentBytes = Counters(1)
  let bodyBytes = Counters(1)
  /// Accepted connections. The first counter is for connections without TLS, the second for
  /// connections with TLS.
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

  /// Counts responses to requests for a path. `path` is the path's index, which is negative for an
  /// unknown path.
  ///
  /// Never inlined, to keep the code for association files short. Requests for these files do not
  /// need this function.
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
