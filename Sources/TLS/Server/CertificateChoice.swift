/// The certificates for a name: at least one, and at most one for each kind of key, in the declared
/// order of the kinds.
struct CertificateChoice: Sendable {
  let certificates: [Certificate]

  func isValid(at now: Int64) -> Bool { certificates.contains { $0.isValid(at: now) } }

  /// Returns whether each certificate covers `host`.
  func covers(host: Span<UInt8>) -> Bool {
    for certificate in certificates where !certificate.names.covers(host: host) { return false }
    return true
  }

  /// Returns the choice among certificates with the same name; nil if there are none.
  ///
  /// A valid certificate is preferred to an invalid one, and otherwise the one that expires last.
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
