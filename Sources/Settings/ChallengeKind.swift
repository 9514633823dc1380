/// The challenges, by their names in ACME.
package enum ChallengeKind: String, Sendable, CaseIterable {
  case http = "http-01"
  case tls = "tls-alpn-01"
  case record = "dns-persist-01"

  /// How the challenge works, for help texts.
  var way: String {
    switch self {
    case .http: "on port 80"
    case .tls: "on port 443"
    case .record: "by a TXT record, which works for wildcards too"
    }
  }
}
