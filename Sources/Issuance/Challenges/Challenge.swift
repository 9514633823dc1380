internal import Posix
internal import Settings
internal import TLS

/// A way to prove control of a name to a CA.
///
/// To add a challenge, write a file with a type, and add a case to `ChallengeKind` of the settings.
protocol Challenge: Sendable {
  func fits(_ host: String) -> Bool

  /// Checks that the challenge would succeed, without asking the CA. Throws the fault of the name.
  /// Returns false if this machine finds no fault but could not check everything.
  func preflight(_ host: String, _ check: NameCheck) throws(Setback) -> Bool

  func show(
    _ host: String, token: String, thumbprint: String, on shown: ChallengeCertificates?
  ) throws(TLSError)

  func withdraw(_ host: String, from shown: ChallengeCertificates?)
}

extension Challenge {
  func fits(_ host: String) -> Bool { !isWildcard(host) }

  /// Most challenges publish nothing for a single order.
  func show(
    _ host: String, token: String, thumbprint: String, on shown: ChallengeCertificates?
  ) throws(TLSError) {}

  func withdraw(_ host: String, from shown: ChallengeCertificates?) {}
}

extension ChallengeKind {
  var challenge: any Challenge {
    switch self {
    case .http: HTTPChallenge()
    case .tls: TLSChallenge()
    case .record: RecordChallenge()
    }
  }
}

/// Returns whether a name is a wildcard, which stands for every name directly below a domain:
/// `*.example.com`.
package func isWildcard(_ name: String) -> Bool { name.hasPrefix("*.") }

/// Returns the domain of a wildcard; any other name unchanged.
package func domain(of name: String) -> String {
  isWildcard(name) ? String(name.dropFirst(2)) : name
}
