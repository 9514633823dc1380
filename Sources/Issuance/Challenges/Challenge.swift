internal import Posix
internal import Settings
internal import TLS

/// A way to prove control of a name to a CA.
///
/// To add a challenge, write a type that conforms to `Challenge`, add a case to `ChallengeKind` in
/// the settings, and create an instance in `Challenges`.
protocol Challenge: Sendable {
  /// Checks that the challenge would succeed, without asking the CA. Throws if the name has a
  /// fault. Returns false if this machine finds no fault but could not check everything that the CA
  /// checks.
  func preflight(_ host: String, _ check: NameCheck) throws(IssuanceFailure) -> Bool

  /// Publishes the response to the challenge. Returns 0 if the CA can already see the response.
  /// Otherwise returns the number of milliseconds after which to call this function again.
  func show(_ host: String, token: String, thumbprint: String) throws(IssuanceFailure) -> Int64

  func withdraw(_ host: String)
}

extension Challenge {
  /// By default, publishes nothing: most challenges need no separate response for each order.
  func show(_ host: String, token: String, thumbprint: String) throws(IssuanceFailure) -> Int64 {
    0
  }

  func withdraw(_ host: String) {}
}

struct Challenges: Sendable {
  /// The kinds from the settings, in the order in which they are tried.
  var kinds: [ChallengeKind]
  /// Stores the certificates that the server shows to CAs; nil if no listener can serve them.
  let shown: ChallengeCertificates?

  subscript(kind: ChallengeKind) -> any Challenge {
    switch kind {
    case .http: HTTPChallenge()
    case .tls: TLSChallenge(shown: shown)
    case .record: RecordChallenge()
    }
  }

  func fitting(_ host: String) -> [ChallengeKind] { kinds.filter { $0.fits(host) } }
}

/// Returns whether a name is a wildcard, such as `*.example.com`.
package func isWildcard(_ name: String) -> Bool { name.hasPrefix("*.") }

/// Returns the domain of a wildcard. Returns any other name unchanged.
package func domain(of name: String) -> String {
  isWildcard(name) ? String(name.dropFirst(2)) : name
}
