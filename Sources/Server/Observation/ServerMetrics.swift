package import Catalog
package import HTTP
internal import Posix
internal import Synchronization
package import TLS

/// A limit that a client has reached.
package enum ServerLimit: UInt8, Sendable, CaseIterable {
  /// `max-connections`: the connection that had waited longest was closed.
  case connections
  /// `max-connections-per-client`: the client's new connection was closed.
  case connectionsPerClient
  /// The process or the system had no free descriptor.
  case descriptors

  /// The name in metrics: `connections-per-client`.
  package var name: String {
    switch self {
    case .connections: "connections"
    case .connectionsPerClient: "connections-per-client"
    case .descriptors: "descriptors"
    }
  }
}

/// The counters of the event loops.
package final class ServerMetrics: Sendable {
  private let loops: [LoopCounters]
  private let accessLog: AccessLog?

  init(loops: [LoopCounters], accessLog: AccessLog? = nil) {
    self.loops = loops
    self.accessLog = accessLog
  }

  /// The number of access log lines that could not be written; nil without a log.
  package var lostLogLines: Int? { accessLog?.lostLines.inAll }

  /// Sums the counters of all loops, each read at a slightly different moment. Takes some thousand
  /// loads, which is fine for a scrape but not for every request.
  package func snapshot() -> MetricsSnapshot { MetricsSnapshot(loops) }
}

/// All counters since the server started, at one time.
package struct MetricsSnapshot: Sendable {
  /// The state of a connection, for counting connections and timeouts.
  package enum ConnectionState: Int, Sendable, CaseIterable {
    case proxyHeader, handshaking, idle, readingHead, readingBody, writing, lingering

    /// The name in metrics: `reading-head`.
    package var name: String {
      switch self {
      case .proxyHeader: "proxy-header"
      case .handshaking: "handshaking"
      case .idle: "idle"
      case .readingHead: "reading-head"
      case .readingBody: "reading-body"
      case .writing: "writing"
      case .lingering: "lingering"
      }
    }
  }

  /// The version of a TLS connection.
  package enum TLSVersion: Int, Sendable, CaseIterable {
    case tls12, tls13, other

    /// Makes the version from its number on the wire.
    init(number: Int32) {
      switch number {
      case 0x0303: self = .tls12
      case 0x0304: self = .tls13
      default: self = .other
      }
    }

    /// The name that OpenSSL uses: `TLSv1.3`.
    package var name: String {
      switch self {
      case .tls12: "TLSv1.2"
      case .tls13: "TLSv1.3"
      case .other: "other"
      }
    }
  }

  private let requestCounts: [UInt64]
  private let handshakeCounts: [UInt64]
  private let failureCounts: [UInt64]
  private let timeoutCounts: [UInt64]
  private let openCounts: [UInt64]
  private let limitCounts: [UInt64]
  private let acceptedCounts: [UInt64]
  private let fetchTimes: [UInt64]

  /// Request durations, from the turn that received the first byte to the end of the turn that
  /// answered.
  package let durations: DurationHistogram
  /// Bytes of heads and bodies sent, before encryption.
  package let sentBytes: UInt64
  /// Bytes of bodies only.
  package let bodyBytes: UInt64

  init(_ loops: [LoopCounters]) {
    let zeros = LoopCounters()
    func combined(
      _ values: (LoopCounters) -> [UInt64], _ combine: (UInt64, UInt64) -> UInt64 = { $0 &+ $1 }
    ) -> [UInt64] {
      loops.reduce(values(zeros)) { zip($0, values($1)).map(combine) }
    }
    requestCounts = combined { $0.requests.values }
    handshakeCounts = combined { $0.handshakes.values }
    failureCounts = combined { $0.handshakeFailures.values }
    timeoutCounts = combined { $0.timeouts.values }
    openCounts = combined { $0.open.values }
    limitCounts = combined { $0.limits.values }
    acceptedCounts = combined { $0.accepted.values }
    fetchTimes = combined({ $0.lastFetches.values }, max)
    durations = DurationHistogram(
      counts: combined { $0.durations.values },
      sumNanoseconds: combined { $0.durationSum.values }[0])
    sentBytes = combined { $0.sentBytes.values }[0]
    bodyBytes = combined { $0.bodyBytes.values }[0]
  }

  /// Returns the number of answers with that status to that class of fetcher.
  package func requests(_ status: Status, _ fetcher: FetcherClass) -> UInt64 {
    requestCounts[status.index * FetcherClass.allCases.count + Int(fetcher.rawValue)]
  }

  /// The number of successful handshakes.
  package func handshakes(_ version: TLSVersion, resumed: Bool) -> UInt64 {
    handshakeCounts[version.rawValue * 2 + (resumed ? 1 : 0)]
  }

  package func handshakeFailures(_ reason: TLSFailure.Reason) -> UInt64 {
    failureCounts[Int(reason.rawValue)]
  }

  /// The number of open connections.
  package func connections(_ state: ConnectionState) -> UInt64 { openCounts[state.rawValue] }

  /// The number of accepted connections since the start.
  package func acceptedConnections(secure: Bool) -> UInt64 { acceptedCounts[secure ? 1 : 0] }

  /// The number of connections that timed out.
  package func timeouts(_ state: ConnectionState) -> UInt64 { timeoutCounts[state.rawValue] }

  package func hits(_ limit: ServerLimit) -> UInt64 { limitCounts[Int(limit.rawValue)] }

  /// Returns when a class of fetcher last fetched a domain's file, in seconds since 1970; nil if
  /// never.
  package func lastFetch(_ fetcher: FetcherClass) -> Int64? {
    let time = fetchTimes[Int(fetcher.rawValue)]
    return time == 0 ? nil : Int64(time)
  }
}

/// Counts of request durations by bucket.
package struct DurationHistogram: Sendable {
  /// The upper bounds of all buckets but the last, in seconds, as written in the Prometheus text
  /// format.
  package static let boundsInSeconds: [String] = [
    "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.1", "1", "10",
  ]
  /// The same bounds in nanoseconds.
  static let bounds: [UInt64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 100_000_000,
    1_000_000_000, 10_000_000_000,
  ]

  /// The count of each bucket, not cumulative; one more than there are bounds.
  package let counts: [UInt64]
  package let sumNanoseconds: UInt64

  /// Returns the bucket of a duration in nanoseconds: the first with a bound at or above it.
  static func bucket(of duration: UInt64) -> Int {
    var index = 0
    let bounds = bounds.span
    while index < bounds.count && duration > bounds[index] { index += 1 }
    return index
  }
}
