package import Diagnostics

extension StatusBoard {
  package var metrics: [MetricFamily] {
    let summary = summary
    return [
      MetricFamily(
        "aasa_acme_certificates", .gauge,
        "Hosts whose certificates the server orders automatically, by state.",
        HostReport.Kind.allCases.map { .init(summary.counts[$0] ?? 0, "state", $0.rawValue) }),
      MetricFamily(
        "aasa_acme_attempts", .counter, "Attempts to get certificates, by result.",
        summary.attempts.flatMap { authority, row in row.map { (authority, $0.key, $0.value) } }
          .sorted { $0 < $1 }.map { .init($0.2, [("ca", $0.0), ("result", $0.1)]) }),
      MetricFamily(
        "aasa_acme_limit_remaining", .gauge,
        "The number of further orders that the CA's documented limits allow now.",
        summary.remaining.sorted { $0.key < $1.key }
          .map { .init($0.value, [("ca", $0.key), ("limit", "orders")]) }),
      MetricFamily(
        "aasa_acme_retry_after_timestamp_seconds", .gauge, unit: "seconds",
        "When the CA accepts requests again, in seconds since 1970, by scope.",
        summary.frozen.flatMap { authority, row in row.map { (authority, $0.key, $0.value) } }
          .sorted { $0 < $1 }.map { .init($0.2, [("ca", $0.0), ("scope", $0.1)]) }),
      MetricFamily(
        "aasa_acme_renewal_due_timestamp_seconds", .gauge, unit: "seconds",
        "When the next certificate is renewed, in seconds since 1970.",
        summary.renewal.map { [.init($0)] } ?? []),
      MetricFamily(
        "aasa_acme_clock_offset_seconds", .gauge, unit: "seconds",
        "How far the CA's clock is ahead of this machine's.", summary.clockOffset),
      MetricFamily(
        "aasa_acme_is_issuer", .gauge,
        "1 if this process orders certificates, 0 if another process orders them.",
        summary.isIssuer ? 1 : 0),
      MetricFamily(
        "aasa_acme_account", .info, "The account at the CA; the value is always 1.",
        summary.account.map { [.init(1, "uri", $0)] } ?? []),
    ]
  }
}
