internal import Diagnostics
internal import Issuance
internal import Server

/// The state of automatic certificates, for status and metrics.
extension StatusBoard {
  var samples: IssuanceSamples {
    let summary = summary
    return IssuanceSamples(
      states: HostReport.Kind.allCases.map { ($0.rawValue, summary.counts[$0] ?? 0) },
      attempts: summary.attempts.map { ($0.key.authority, $0.key.result, $0.value) }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) },
      remaining: summary.remaining.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 },
      frozen: summary.frozen.flatMap { authority, ends in
        ends.map { (authority, $0.key, $0.value) }
      }.sorted { ($0.0, $0.1) < ($1.0, $1.1) },
      renewal: summary.renewal, clockOffset: summary.clockOffset, isIssuer: summary.isIssuer,
      account: summary.account)
  }
}
