package import Diagnostics

/// What came of reading a certificate: something to serve, or not, and what to tell about it.
package struct CertificateInspection: Sendable {
  /// Nil when it cannot be served. An expired certificate can be: see `TLSMaterial.build`.
  package let certificate: Certificate?
  package let diagnostics: [Diagnostic]
}

/// Reads a certificate chain and its key from PEM files and says what is wrong with them.
package struct CertificateFile: Sendable {
  /// The file with the chain, and with the key too when `key` is nil.
  package let chain: SourceText
  package let key: SourceText?
  /// The permission bits of the file that holds the key; nil when not known.
  package let keyMode: UInt32?

  package init(chain: SourceText, key: SourceText? = nil, keyMode: UInt32? = nil) {
    self.chain = chain
    self.key = key
    self.keyMode = keyMode
  }

  /// What a certificate is judged against.
  package struct Conditions: Sendable {
    /// Seconds since 1970.
    package var now: Int64
    /// A certificate that expires within this many days gets a warning.
    package var warningDays: Int
    package var trust: TrustStore
    /// Where equal intermediates are found again; nil when they are not to be shared.
    package var intermediates: SharedIntermediates?
    /// What need not be looked up again; nil when everything is.
    package var issuers: KnownIssuers?

    package init(
      now: Int64, warningDays: Int = 14, trust: TrustStore,
      intermediates: SharedIntermediates? = nil, issuers: KnownIssuers? = nil
    ) {
      self.now = now
      self.warningDays = warningDays
      self.trust = trust
      self.intermediates = intermediates
      self.issuers = issuers
    }

    fileprivate func shared(_ chain: [[UInt8]]) -> [[UInt8]] {
      intermediates?.shared(chain) ?? chain
    }
  }

  /// Reads, checks and, unless something forbids it, returns the certificate.
  package func inspect(_ conditions: Conditions) -> CertificateInspection {
    var inspection = Inspection(file: self, conditions: conditions)
    let certificate = inspection.run()
    return CertificateInspection(certificate: certificate, diagnostics: inspection.diagnostics)
  }

  /// The file in which the key is looked for.
  var keySource: SourceText { key ?? chain }

  /// What is to be told about who can read the key.
  ///
  /// Group and owner are the administrator's choice (Debian's ssl-cert, a pod's fsGroup).
  var modeDiagnostic: Diagnostic? {
    guard let mode = keyMode, mode & 0o004 != 0 else { return nil }
    return .keyReadable(keySource.path, mode: mode)
  }
}

/// One inspection: the steps in order, each of which may end it.
private struct Inspection {
  let file: CertificateFile
  let conditions: CertificateFile.Conditions
  var diagnostics: [Diagnostic] = []

  init(file: CertificateFile, conditions: CertificateFile.Conditions) {
    self.file = file
    self.conditions = conditions
  }

  mutating func run() -> Certificate? {
    // Both files are read before either ends the inspection: all faults in one go.
    let certificates = readCertificates()
    let key = readKey()
    guard let certificates, let key else { return nil }
    guard let chain = order(certificates, for: key.key) else { return nil }
    let leaf = chain[0]
    if leaf.names.isEmpty {
      report(.noNames(in: file.chain.path, subject: leaf.subject))
      return nil
    }
    // A root is trusted for being there already, not for being sent (RFC 8446 section 4.4.2).
    let intermediates = chain.dropFirst().filter { !$0.isSelfSigned }
    guard let facts = leaf.facts(kind: key.kind),
      let usable = UsableCertificate(leaf: leaf, intermediates: intermediates, key: key.key)
    else {
      report(.undecodable(.init(path: file.chain.path), what: "certificate"))
      return nil
    }
    if let refusal = usable.refusal() {
      report(.refused(in: file.chain.path, reason: refusal))
      return nil
    }
    let sent = conditions.shared(intermediates.map(\.der))
    let loaded = key.sealed.withBytes { key in
      Certificate(
        leaf: leaf.der, intermediates: sent, key: key, facts: facts, path: file.chain.path)
    }
    guard let certificate = loaded else {
      report(.undecodable(.init(path: file.chain.path), what: "certificate"))
      return nil
    }
    if let diagnostic = certificate.timeDiagnostic(
      now: conditions.now, warningDays: conditions.warningDays)
    {
      report(diagnostic)
    }
    checkCompleteness(of: chain)
    if let diagnostic = file.modeDiagnostic { report(diagnostic) }
    return certificate
  }

  private mutating func report(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }

  // MARK: Reading

  private mutating func readCertificates() -> [X509]? {
    do throws(PEMFile.Fault) {
      return try PEMFile(file.chain).certificates(limit: Limits.chainCertificates)
    } catch {
      report(error.diagnostic)
      return nil
    }
  }

  private mutating func readKey() -> PEMFile.Key? {
    let found: PEMFile
    do throws(PEMFile.Fault) {
      found = try PEMFile(file.keySource)
    } catch {
      // One file: its faults were told with the certificates'.
      if file.key != nil { report(error.diagnostic) }
      return nil
    }
    do throws(PEMFile.Fault) {
      return try found.privateKey(
        missing: .noKey(chain: file.chain.path, key: file.key?.path),
        encrypted: Diagnostic.keyEncrypted)
    } catch {
      report(error.diagnostic)
      return nil
    }
  }

  // MARK: The chain

  /// The leaf, which is the certificate that matches the key, then each one's issuer as far as
  /// the file has it.
  private mutating func order(_ certificates: [X509], for key: PrivateKey) -> [X509]? {
    guard let position = certificates.firstIndex(where: { $0.matches(key) }) else {
      report(.keyMismatch(chain: file.chain.path, key: file.keySource.path))
      return nil
    }
    var rest = certificates
    var chain = [rest.remove(at: position)]
    while !chain[chain.count - 1].isSelfSigned {
      let last = chain[chain.count - 1]
      guard let next = rest.firstIndex(where: { last.canBeIssued(by: $0) }) else { break }
      chain.append(rest.remove(at: next))
    }
    let isInOrder = zip(certificates, chain).allSatisfy { $0 === $1 }
    if position > 0 {
      report(.leafNotFirst(in: file.chain.path, subject: chain[0].subject, position: position + 1))
    } else if !isInOrder {
      report(.wrongOrder(in: file.chain.path))
    }
    return chain
  }

  private mutating func checkCompleteness(of chain: [X509]) {
    let last = chain[chain.count - 1]
    if last.isSelfSigned {
      // After others it is a root: a private authority's, if not a public one's.
      if chain.count == 1 { report(.selfSigned(in: file.chain.path)) }
      return
    }
    if conditions.trust.knowsIssuer(of: last, remembering: conditions.issuers) { return }
    // With intermediates, and without roots to compare with, nothing can be said.
    if chain.count > 1, conditions.trust.isEmpty { return }
    report(.incomplete(in: file.chain.path, last: last.subject, issuer: last.issuer))
  }
}

extension Certificate {
  /// What is to be told about its validity period at `now`, seconds since 1970; nil when it lasts
  /// for more than `warningDays`.
  package func timeDiagnostic(now: Int64, warningDays: Int) -> Diagnostic? {
    let left = notAfter - now
    if now < notBefore { return .notYetValid(in: path, from: notBefore) }
    if left < 0 { return .expired(in: path, since: notAfter) }
    if left < Int64(warningDays) * 86_400 {
      return .expiresSoon(in: path, at: notAfter, days: left / 86_400)
    }
    return nil
  }
}
