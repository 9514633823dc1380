/// Finds certificates by host name.
struct NameIndex: Sendable {
  private var exact: [String: CertificateChoice] = [:]
  /// The certificates with wildcard names. The key is the part of the name after `*.`.
  private var wildcards: [String: CertificateChoice] = [:]

  /// - Parameter now: The current time, in seconds since 1970.
  init(_ certificates: [Certificate], now: Int64) {
    exact.reserveCapacity(certificates.count)
    for certificate in certificates {
      for host in certificate.names.hosts {
        if host.hasPrefix("*.") {
          Self.add(certificate, to: &wildcards[String(host.dropFirst(2))], now: now)
        } else {
          Self.add(certificate, to: &exact[host], now: now)
        }
      }
    }
    hideInvalid(now)
  }

  private static func add(
    _ certificate: Certificate, to choice: inout CertificateChoice?, now: Int64
  ) {
    choice = .best(of: (choice?.certificates ?? []) + [certificate], now: now)
  }

  /// Removes an exact name whose certificates are not valid now, if a wildcard certificate that is
  /// valid now covers the name.
  private mutating func hideInvalid(_ now: Int64) {
    if wildcards.isEmpty { return }
    exact = exact.filter { host, choice in
      choice.isValid(at: now) || findWildcard(for: host)?.isValid(at: now) != true
    }
  }

  /// Returns the certificates that have the name `host` (in lower case). If there are none, returns
  /// the certificates with a wildcard that covers the name.
  func find(_ host: String) -> CertificateChoice? { exact[host] ?? findWildcard(for: host) }

  /// Returns the certificates with a wildcard that covers the host. A wildcard stands for the
  /// leftmost label only (RFC 9525 section 6.3).
  private func findWildcard(for host: String) -> CertificateChoice? {
    if wildcards.isEmpty { return nil }
    guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")), dot != host.startIndex else {
      return nil
    }
    return wildcards[String(host[host.utf8.index(after: dot)...])]
  }
}

/// The certificates for a name: at least one, and at most one for each kind of key, in the order of
/// `Certificate.Kind`.
struct CertificateChoice: Sendable {
  let certificates: [Certificate]

  func isValid(at now: Int64) -> Bool { certificates.contains { $0.isValid(at: now) } }

  /// Returns whether each certificate covers `host`.
  func covers(host: Span<UInt8>) -> Bool {
    for certificate in certificates where !certificate.names.covers(host: host) { return false }
    return true
  }

  /// Chooses the best certificate for each kind of key among certificates with the same name.
  /// Returns nil if there are no certificates.
  ///
  /// If any certificate is valid now, chooses only among valid certificates. Among these, chooses
  /// the certificate that expires last.
  static func best(of certificates: [Certificate], now: Int64) -> CertificateChoice? {
    if certificates.count < 2 {
      return certificates.isEmpty ? nil : CertificateChoice(certificates: certificates)
    }
    let anyValid = certificates.contains { $0.isValid(at: now) }
    return CertificateChoice(
      certificates: Certificate.Kind.allCases.compactMap { kind in
        certificates
          .filter { $0.kind == kind && (!anyValid || $0.isValid(at: now)) }
          .max { $0.notAfter < $1.notAfter }
      })
  }
}
