internal import Catalog
internal import HTTP
internal import TLS

/// Samples of the event loops' counters.
extension MetricsWriter {
  mutating func write(_ counted: MetricsSnapshot) {
    writeRequests(counted)
    writeConnections(counted)
    writeHandshakes(counted)
  }

  private mutating func writeRequests(_ counted: MetricsSnapshot) {
    family(
      "aasa_http_requests", .counter,
      "Answers, by status and class of client (from its User-Agent).")
    for status in Status.allCases {
      for fetcher in FetcherClass.allCases {
        let count = counted.requests(status, fetcher)
        // Leave out combinations that never occurred, except for the usual status.
        if count == 0 && status != .ok { continue }
        sample([("status", String(status.code)), ("fetcher", fetcher.name)], count)
      }
    }
    family(
      "aasa_http_request_duration_seconds", .histogram, unit: "seconds",
      "From the first byte of a request to the end of the turn that answered it.")
    histogram(
      bounds: DurationHistogram.boundsInSeconds, counts: counted.durations.counts,
      sum: Double(counted.durations.sumNanoseconds) / 1e9)
    family(
      "aasa_http_response_bytes", .counter, unit: "bytes",
      "Bytes of answers, heads and bodies, before encryption.")
    sample([], counted.sentBytes)
    family(
      "aasa_http_response_body_bytes", .counter, unit: "bytes", "Bytes of the bodies of answers.")
    sample([], counted.bodyBytes)
    family(
      "aasa_last_fetch_timestamp_seconds", .gauge, unit: "seconds",
      "When each class of client last requested a domain's file, in seconds since 1970.")
    for fetcher in FetcherClass.allCases {
      guard let time = counted.lastFetch(fetcher) else { continue }
      sample([("fetcher", fetcher.name)], time)
    }
  }

  private mutating func writeConnections(_ counted: MetricsSnapshot) {
    family("aasa_connections", .gauge, "Open connections, by state.")
    for state in MetricsSnapshot.ConnectionState.allCases {
      sample([("state", state.name)], counted.connections(state))
    }
    family("aasa_connections_accepted", .counter, "Accepted connections, by scheme.")
    for isSecure in [false, true] {
      sample(
        [("scheme", isSecure ? "https" : "http")], counted.acceptedConnections(secure: isSecure))
    }
    family(
      "aasa_connection_timeouts", .counter,
      "Connections that timed out, by state.")
    for state in MetricsSnapshot.ConnectionState.allCases {
      sample([("state", state.name)], counted.timeouts(state))
    }
    family("aasa_limits_hit", .counter, "Times that clients reached a limit.")
    for limit in ServerLimit.allCases {
      sample([("limit", limit.name)], counted.hits(limit))
    }
  }

  private mutating func writeHandshakes(_ counted: MetricsSnapshot) {
    family(
      "aasa_tls_handshakes", .counter,
      "Successful TLS handshakes, by version and by whether they resumed a session.")
    for version in MetricsSnapshot.TLSVersion.allCases {
      for isResumed in [false, true] {
        sample(
          [("version", version.name), ("resumed", isResumed ? "true" : "false")],
          counted.handshakes(version, resumed: isResumed))
      }
    }
    family("aasa_tls_handshake_failures", .counter, "TLS handshakes that failed, by reason.")
    for reason in TLSFailure.Reason.allCases {
      sample([("reason", reason.name)], counted.handshakeFailures(reason))
    }
  }
}
