internal import Diagnostics
internal import TLS

/// Keeps the served certificates that are no longer in their files, because a restart would lose
/// them. Restores the certificates that the last run kept.
extension CertificateKeeper {
  /// If a certificate is served although its files are faulty or missing, adds it to `wishes`.
  /// Omits expired certificates.
  func addRisks(to wishes: inout KeptWishes, at now: Moment) {
    func keep(_ certificate: Certificate, of chain: String, isHeld: Bool) {
      if certificate.notAfter < now.wall { return }
      wishes.files["certificates/" + chain] = KeptFile(
        mark: certificate.chainFingerprint.hashValue | 1, content: .certificate(certificate))
      if isHeld { wishes.held.insert("certificates/" + chain) }
    }
    for (chain, state) in items where isAtRisk(chain) {
      if let certificate = state.certificate {
        keep(certificate, of: chain, isHeld: folder.isHeld(chain))
      }
    }
    for (chain, kept) in kept where items[chain] == nil {
      keep(kept.value, of: chain, isHeld: kept.isHeld)
    }
  }

  private func isAtRisk(_ chain: String) -> Bool {
    folder.isHeld(chain) || hidden.contains(chain) || problems[chain]?.isLastGood == true
  }

  // MARK: Restoring certificates at the start

  /// Stores the certificates that the last run kept, until their files are read.
  mutating func take(_ certificates: [String: LastRun.Kept<Certificate>], at now: Moment) {
    kept = certificates
    folder.names.remember([], held: Set(kept.filter(\.value.isHeld).keys), at: now.milliseconds)
  }

  /// Called when a chain is read for the first time since the start. Restores the certificate that
  /// the last run kept for this chain, unless the files now contain a better certificate. Returns a
  /// finding that replaces `finding`.
  mutating func restored(
    _ state: inout CertificateState, _ finding: FileFinding<Certificate>, at now: Moment
  ) -> FileFinding<Certificate> {
    if kept.isEmpty { return finding }
    guard let served = kept.removeValue(forKey: state.entry.chain)?.value else {
      return finding
    }
    var finding = finding
    if case .usable(let new) = finding {
      // Check the new certificate again. Before the restart, OpenSSL may have refused this
      // certificate, or an operator may not have confirmed it yet.
      guard !new.isSame(as: served), let trust = trustStore() else { return finding }
      if let fault = judgement(of: new, trust, at: now).first(where: { $0.severity == .error }) {
        state.refused = Boxed((new, fault))
        finding = .unusable(fault)
      } else if heldChange(
        of: served, to: new, state.entry.chain, isStart: true, wall: now.wall) == nil
      {
        return finding
      }
    }
    state.file.answer = .version(served)
    // Compare the finding with the kept certificate. For example, an expired certificate must not
    // replace the kept certificate.
    return state.assessment(finding, wall: now.wall).finding
  }

  /// Restores the kept certificates whose chains are missing, except those that were removed on
  /// purpose. The server assumes that a certificate was removed on purpose if every folder on its
  /// path can be read, its key is missing too, and its loss did not await confirmation.
  ///
  /// - Parameter listing: The content of the folder; nil if the folder cannot be read.
  mutating func restoreMissing(in listing: CertificateListing?, _ outcome: inout Outcome) {
    if kept.isEmpty { return }
    let missing = kept.keys.filter { listing?.has($0) != true && items[$0] == nil }
    let keys = listing?.keysWithoutChain.subtracting(listing?.names.chains ?? []) ?? []
    let paths = Set(missing).union(keys).map { (path: $0, isDirectory: false) }
    let entries = CertificateFolder(root: root, paths: paths).entries
    for entry in entries where missing.contains(entry.chain) {
      let isProven = listing.map { $0.search.obstacle(to: entry.chain) == nil } ?? false
      guard let certificate = kept[entry.chain],
        certificate.isHeld || !isProven || entry.key != nil
      else { continue }
      var state = CertificateState(entry)
      state.file.answer = .version(certificate.value)
      items[entry.chain] = state
      outcome.noteCertificateChange(to: certificate.value)
    }
    for chain in missing { kept[chain] = nil }
  }
}
