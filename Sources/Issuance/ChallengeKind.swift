/// How a name is shown to be ours.
package enum ChallengeKind: String, Sendable, CaseIterable {
  /// By an answer on port 80 (RFC 8555 section 8.3).
  case http = "http-01"
  /// By a certificate on port 443 (RFC 8737).
  case tls = "tls-alpn-01"
  /// By a TXT record that somebody sets once (draft-ietf-acme-dns-persist): the only one for wildcards.
  case record = "dns-persist-01"

  /// Whether a name can be shown to be ours in this way.
  func fits(_ host: String) -> Bool { self == .record || !isWildcard(host) }
}

/// Whether a name stands for every one directly below a domain: `*.example.com`.
package func isWildcard(_ name: String) -> Bool { name.hasPrefix("*.") }

/// The domain of a wildcard; another name itself.
package func domain(of name: String) -> String {
  isWildcard(name) ? String(name.dropFirst(2)) : name
}
