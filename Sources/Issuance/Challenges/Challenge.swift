internal import Posix
internal import TLS

/// A way to show a CA that a name is ours.
///
/// A new one is a file with a type, and a case of `ChallengeKind`.
protocol Challenge: Sendable {
  /// Whether a name can be shown to be ours in this way.
  func fits(_ host: String) -> Bool

  /// Checks whether the CA would see it, without asking the CA. Throws what is wrong with the name.
  /// Returns false if nothing is wrong as far as this machine can see, which is not everything.
  func preflight(_ host: String, _ check: NameCheck) throws(NameCheck.Obstacle) -> Bool

  /// Shows the CA what it asks for.
  func show(
    _ host: String, token: String, thumbprint: String, on shown: ChallengeCertificates?
  ) throws(TLSError)

  /// Takes it away again.
  func withdraw(_ host: String, from shown: ChallengeCertificates?)
}

extension Challenge {
  func fits(_ host: String) -> Bool { !isWildcard(host) }

  /// Most need nothing for a single order.
  func show(
    _ host: String, token: String, thumbprint: String, on shown: ChallengeCertificates?
  ) throws(TLSError) {}

  func withdraw(_ host: String, from shown: ChallengeCertificates?) {}
}

/// The ways to show that a name is ours, by their names in ACME.
package enum ChallengeKind: String, Sendable, CaseIterable {
  case http = "http-01"
  case tls = "tls-alpn-01"
  case record = "dns-persist-01"

  var challenge: any Challenge {
    switch self {
    case .http: HTTPChallenge()
    case .tls: TLSChallenge()
    case .record: RecordChallenge()
    }
  }
}

/// Whether a name stands for every one directly below a domain: `*.example.com`.
package func isWildcard(_ name: String) -> Bool { name.hasPrefix("*.") }

/// The domain of a wildcard; another name itself.
package func domain(of name: String) -> String {
  isWildcard(name) ? String(name.dropFirst(2)) : name
}
