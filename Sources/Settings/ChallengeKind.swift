/// The challenges, by their names in ACME.
package enum ChallengeKind: String, Sendable, CaseIterable {
  case http = "http-01"
  case tls = "tls-alpn-01"
  case record = "dns-persist-01"

  /// Whether the CA reads a DNS record, and does not connect to the host.
  package var isOfRecord: Bool { self == .record }

  /// Whether the challenge can prove control of a host, or of a wildcard such as `*.example.com`.
  package func fits(_ host: String) -> Bool { isOfRecord || !host.hasPrefix("*.") }

  /// Returns the first of all challenges that fits a host. At least one fits every host.
  package static func firstFitting(_ host: String) -> Self {
    allCases.first { $0.fits(host) } ?? .record
  }

  /// How the challenge works, for help texts.
  var summary: String {
    switch self {
    case .http: "on port 80"
    case .tls: "on port 443"
    case .record: "by a TXT record, also for wildcards"
    }
  }
}
