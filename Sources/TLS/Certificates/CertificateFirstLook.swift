package import Diagnostics

extension CertificateFile {
  /// What a first look needs to know.
  package struct FirstLookConditions: Sendable {
    /// Seconds since 1970.
    package let now: Int64
    package let warningDays: Int
    package let intermediates: SharedIntermediates

    package init(now: Int64, warningDays: Int, intermediates: SharedIntermediates) {
      self.now = now
      self.warningDays = warningDays
      self.intermediates = intermediates
    }
  }

  /// The certificate by its outline: names, times and public key, which must be the key file's, and
  /// chain in good order by its names.
  ///
  /// It takes a few microseconds, where `inspect` takes some hundred, so that very many certificates
  /// can be served soon; `inspect` has to follow. Nil when there is anything unusual about the
  /// files, good or bad: only `inspect` can say what.
  package func firstLook(_ conditions: FirstLookConditions) -> CertificateInspection? {
    guard let certificate = outlined(conditions) else { return nil }
    return CertificateInspection(
      certificate: certificate, diagnostics: seenAtFirst(of: certificate, conditions))
  }

  /// What there is to tell after a first look; needs no contents of the files.
  package func seenAtFirst(
    of certificate: Certificate, _ conditions: FirstLookConditions
  ) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    if let diagnostic = certificate.timeDiagnostic(
      now: conditions.now, warningDays: conditions.warningDays)
    {
      diagnostics.append(diagnostic)
    }
    if let diagnostic = modeDiagnostic { diagnostics.append(diagnostic) }
    return diagnostics
  }

  /// The certificate of `firstLook`, without what there is to tell.
  package func outlined(_ conditions: FirstLookConditions) -> Certificate? {
    guard let file = try? PEMFile(chain),
      let found = file.certificateBytes(limit: Limits.chainCertificates),
      let chain = Self.outlines(found), let leaf = chain.first, !leaf.names.isEmpty
    else { return nil }
    let keyFile = key == nil ? file : key.flatMap { try? PEMFile($0) }
    guard var keyBytes = keyFile?.keyBytes() else { return nil }
    defer { cleanse(&keyBytes) }
    guard let key = try? KeyOutline(keyBytes.span),
      let kind = key.kind(for: leaf, keyBytes.span)
    else { return nil }
    // A root is not sent, as in `inspect`.
    let intermediates = chain.dropFirst().filter { !$0.isSelfIssued }
    return Certificate(
      leaf: leaf.der, intermediates: conditions.intermediates.shared(intermediates.map(\.der)),
      key: keyBytes.span,
      facts: .init(
        names: leaf.names, notBefore: leaf.notBefore, notAfter: leaf.notAfter, kind: kind,
        isSelfSigned: leaf.isSelfIssued, publicKey: leaf.publicKey),
      path: self.chain.path)
  }

  /// Nil unless each is the issuer of the one before it; only the last may be its own.
  private static func outlines(_ found: [[UInt8]]) -> [CertificateOutline]? {
    var chain: [CertificateOutline] = []
    for der in found {
      guard let next = try? CertificateOutline(der) else { return nil }
      if let last = chain.last, last.isSelfIssued || !last.isIssued(by: next) { return nil }
      chain.append(next)
    }
    return chain
  }
}
