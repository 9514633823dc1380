/// How a name is shown to be ours.
package enum ChallengeKind: String, Sendable, CaseIterable {
  /// By an answer on port 80 (RFC 8555 section 8.3).
  case http = "http-01"
  /// By a certificate on port 443 (RFC 8737).
  case tls = "tls-alpn-01"
}
