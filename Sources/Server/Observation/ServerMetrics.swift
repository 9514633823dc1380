package import Catalog
package import Diagnostics
internal import HTTP
internal import Posix
internal import Settings
internal import TLS

/// Renders the metrics of the server from the counters of its loops.
package final class ServerMetrics: Sendable {
  private let loops: [LoopCounters]
  private let accessLog: AccessLog?
  private let wellKnown: WellKnownFiles

  init(
    loops: [LoopCounters], accessLog: AccessLog? = nil,
    wellKnown: WellKnownFiles = WellKnownFiles()
  ) {
    self.loops = loops
    self.accessLog = accessLog
    self.wellKnown = wellKnown
  }

  /// Returns when a class of fetcher last fetched a domain's file, in seconds since 1970; nil if
  /// never.
  package func lastFetch(_ fetcher: FetcherClass) -> Int64? {
    let time = loops.map { $0.lastFetches[Int(fetcher.rawValue)] }.max() ?? 0
    return time == 0 ? nil : Int64(time)
  }

  /// The number of responses with the status 200 or 304, by class of client.
  var fileAnswers: [UInt64] {
    let counts = sums { $0.requests.values }
    let classes = FetcherClass.allCases.count
    return (0..<classes).map { index in
      [Status.ok, .notModified].reduce(0) { $0 &+ counts[$1.index * classes + index] }
    }
  }

  /// Adds up a table of counters over all event loops, element by element. Each counter is read at
  /// a slightly different time.
  private func sums(_ table: (LoopCounters) -> [UInt64]) -> [UInt64] {
    loops.reduce(table(LoopCounters())) { zip($0, table($1)).map(&+) }
  }

  /// The metrics of the server. Computing them reads several thousand counters, which is fast
  /// enough for each scrape.
  package var families: [MetricFamily] {
    let lost = accessLog.map { log in
      MetricFamily(
        "aasa_access_log_lost_lines", .counter,
        "Lines of the access log that could not be written in time, or at all.",
        log.lostLines.inAll)
    }
    return requests + connections + handshakes + (lost.map { [$0] } ?? [])
  }

  private var requests: [MetricFamily] {
    let counts = sums { $0.requests.values }
    var paths = sums { $0.paths.values }
    paths[1] = 0
    // The two tables are read at slightly different times, so the difference of their sums could be
    // negative.
    let (others, all) = (paths.reduce(0, &+), counts.reduce(0, &+))
    paths[1] = all > others ? all - others : 0
    return [
      MetricFamily(
        "aasa_http_requests", .counter,
        "Answers, by status and by the class of the client according to its User-Agent.",
        Status.allCases.flatMap { status in
          FetcherClass.allCases.compactMap { fetcher -> MetricFamily.Sample? in
            let count = counts[status.index * FetcherClass.allCases.count + Int(fetcher.rawValue)]
            // Omit pairs of a status and a class of fetcher that never occurred, unless the status
            // is 200.
            if count == 0 && status != .ok { return nil }
            return .init(count, [("status", String(status.code)), ("fetcher", fetcher.name)])
          }
        }),
      MetricFamily(
        "aasa_http_requests_by_path", .counter, "Answers, by the path that the access log shows.",
        samples(
          "path", ["other"] + wellKnown.paths.map { String(decoding: $0, as: UTF8.self) }, paths)),
      MetricFamily(
        "aasa_http_request_duration_seconds", unit: "seconds",
        "Time from a request's first byte to the end of the event loop iteration that answered "
          + "the request.",
        bounds: DurationHistogram.boundsInSeconds, counts: sums { $0.durations.values },
        sum: Double(sums { $0.durationSum.values }[0]) / 1e9),
      MetricFamily(
        "aasa_http_response_bytes", .counter, unit: "bytes",
        "Bytes of heads and bodies of answers, before encryption.",
        sums { $0.sentBytes.values }[0]),
      MetricFamily(
        "aasa_http_response_body_bytes", .counter, unit: "bytes",
        "Bytes of the bodies of answers.", sums { $0.bodyBytes.values }[0]),
      MetricFamily(
        "aasa_last_fetch_timestamp_seconds", .gauge, unit: "seconds",
        "When each class of client last requested a domain's file, in seconds since 1970.",
        FetcherClass.allCases.compactMap { fetcher in
          lastFetch(fetcher).map { .init($0, "fetcher", fetcher.name) }
        }),
    ]
  }

  private var connections: [MetricFamily] {
    let states = Connection.Kind.allCases.map(\.name)
    return [
      MetricFamily(
        "aasa_connections", .gauge, "Open connections, by state.",
        samples("state", states, sums { $0.open.values })),
      MetricFamily(
        "aasa_connections_accepted", .counter, "Accepted connections, by scheme.",
        samples("scheme", ["http", "https"], sums { $0.accepted.values })),
      MetricFamily(
        "aasa_connection_timeouts", .counter, "Connections that timed out, by state.",
        samples("state", states, sums { $0.timeouts.values })),
      MetricFamily(
        "aasa_limits_hit", .counter, "How often each limit was reached.",
        samples("limit", ServerLimit.allCases.map(\.rawValue), sums { $0.limits.values })),
    ]
  }

  private var handshakes: [MetricFamily] {
    let labels = TLSVersion.allCases.flatMap { version in
      ["false", "true"].map { [("version", version.name), ("resumed", $0)] }
    }
    return [
      MetricFamily(
        "aasa_tls_handshakes", .counter,
        "Successful TLS handshakes, by version and by whether they resumed a session.",
        zip(labels, sums { $0.handshakes.values }).map { .init($1, $0) }),
      MetricFamily(
        "aasa_tls_handshake_failures", .counter, "TLS handshakes that failed, by reason.",
        samples(
          "reason", TLSFailure.Reason.allCases.map(\.name), sums { $0.handshakeFailures.values })),
    ]
  }

  private func samples(
    _ label: String, _ names: [String], _ counts: [UInt64]
  ) -> [MetricFamily.Sample] {
    zip(names, counts).map { .init($1, label, $0) }
  }
}

/// The buckets of request durations.
enum DurationHistogram {
  /// The upper bounds of all buckets except the last one, in seconds, written as Prometheus' text
  /// format requires.
  static let boundsInSeconds: [String] = [
    "0.0001", "0.00025", "0.0005", "0.001", "0.0025", "0.005", "0.01", "0.1", "1", "10",
  ]
  /// The same bounds in nanoseconds.
  static let bounds: [UInt64] = [
    100_000, 250_000, 500_000, 1_000_000, 2_500_000, 5_000_000, 10_000_000, 100_000_000,
    1_000_000_000, 10_000_000_000,
  ]

  /// Returns the bucket of a duration in nanoseconds: the first bucket whose bound is at least the
  /// duration.
  static func bucket(of duration: UInt64) -> Int {
    var index = 0
    let bounds = bounds.span
    while index < bounds.count && duration > bounds[index] { index += 1 }
    return index
  }
}
