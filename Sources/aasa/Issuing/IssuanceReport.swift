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

  /// The state of all hosts, as a JSON object.
  var json: String {
    let summary = summary
    return jsonObject([
      ("issuer", summary.isIssuer ? "true" : "false"),
      ("account", summary.account.map(jsonString)),
      (
        "hosts",
        jsonObject(HostReport.Kind.allCases.map { ($0.rawValue, String(summary.counts[$0] ?? 0)) })
      ),
    ])
  }

  /// The state of one host; nil if its certificates come from elsewhere.
  func json(of host: String) -> String? {
    guard let report = self[host] else { return nil }
    return jsonObject([
      ("state", jsonString(report.kind.rawValue)), ("ca", jsonString(report.authority)),
      ("profile", report.profile.map(jsonString)),
      ("renewal", report.renewal.map { String($0) }), ("next", String(report.next)),
      ("trouble", report.trouble.map(jsonString)),
    ])
  }
}
