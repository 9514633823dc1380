/// ACME's types of challenges. Each raw value is the type's name in ACME messages.
package enum ChallengeKind: String, Sendable, CaseIterable {
  case http = "http-01"
  case tls = "tls-alpn-01"
  case record = "dns-persist-01"

  /// Whether the CA checks this challenge by reading a DNS record, instead of by connecting to the
  /// host.
  package var isOfRecord: Bool { self == .record }

  /// Returns whether the challenge can prove control of this name: a host, or a wildcard such as
  /// `*.example.com`.
  package func fits(_ host: String) -> Bool { isOfRecord || !host.hasPrefix("*.") }

  /// Returns the first challenge in `allCases` that can prove control of the host. A DNS record can
  /// prove control of every host.
  package static func firstFitting(_ host: String) -> Self {
    allCases.first { $0.fits(host) } ?? .record
  }

  /// How the challenge works, in words for help texts.
  var summary: String {
    switch self {
    case .http: "on port 80"
    case .tls: "on port 443"
    case .record: "by a TXT record, also for wildcards"
    }
  }
}
