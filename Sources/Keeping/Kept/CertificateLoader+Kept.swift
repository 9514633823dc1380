internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// The certificates that a restart would lose, and those that the last run kept.
extension CertificateLoader {
  /// Adds the certificates that are served although their files are faulty or missing. Without
  /// expired ones.
  func addRisks(to wishes: inout KeptWishes) {
    let now = Clock.wallSeconds()
    func keep(_ certificate: Certificate, of chain: String, isHeld: Bool) {
      if certificate.notAfter < now { return }
      var hasher = Hasher()
      hasher.combine(certificate.chainFingerprint)
      wishes.files["certificates/" + chain] = KeptFile(
        mark: hasher.finalize() | 1, content: .certificate(certificate))
      if isHeld { wishes.held.insert("certificates/" + chain) }
    }
    for (chain, state) in states where isAtRisk(chain) {
      if let certificate = state.certificate {
        keep(certificate, of: chain, isHeld: folder.isHeld(chain))
      }
    }
    for (chain, kept) in kept where states[chain] == nil {
      keep(kept.certificate, of: chain, isHeld: kept.isHeld)
    }
  }

  private func isAtRisk(_ chain: String) -> Bool {
    folder.isHeld(chain) || hidden.contains(chain) || problems[chain]?.isLastGood == true
  }

  // MARK: At the start

  /// Uses what the last run kept.
  mutating func take(_ certificates: [String: LastRun.KeptCertificate]) {
    kept = certificates
    folder.take(held: Set(kept.filter(\.value.isHeld).keys), at: clock())
  }

  /// Restores the kept certificate of a chain that is read for the first time, if its files have no
  /// better one now. Returns the finding to use.
  mutating func restored(
    _ state: inout CertificateState, _ finding: FileFinding<Certificate>
  ) -> FileFinding<Certificate> {
    if kept.isEmpty { return finding }
    guard let served = kept.removeValue(forKey: state.entry.chain)?.certificate else {
      return finding
    }
    var finding = finding
    if case .usable(let new) = finding {
      // OpenSSL may have refused the new certificate before the start too, or it was not confirmed
      // yet.
      guard !new.isSame(as: served), let trust = trustStore() else { return finding }
      if let fault = judgement(of: new, trust, issuers).first(where: { $0.severity == .error }) {
        state.refused = .refused(new, fault)
        finding = .unusable(fault)
      } else if heldChange(
        of: served, to: new, state.entry.chain, isStart: true, wall: Clock.wallSeconds()) == nil
      {
        return finding
      }
    }
    state.file.answer = .version(served)
    // For example, an expired certificate in the file does not replace the kept one.
    return state.weighing(finding, wall: Clock.wallSeconds()).finding
  }

  /// Restores the kept certificates whose chains are missing, except those that were removed on
  /// purpose. A certificate was removed on purpose if every folder on the path can be read, the key
  /// is missing too, and no loss was held.
  ///
  /// - Parameter found: The content of the folder; nil if the folder cannot be read.
  mutating func restoreMissing(
    besides found: CertificateFolder? = nil, in search: CertificateSearch? = nil
  ) -> Outcome {
    var outcome = Outcome()
    if kept.isEmpty { return outcome }
    let present = Set((found?.entries ?? []).map(\.chain))
    let missing = Set(kept.keys).subtracting(present).subtracting(states.keys)
    let keys = found?.keysWithoutChain(among: search?.paths ?? []).subtracting(present) ?? []
    let paths = missing.union(keys).map { (path: $0, isDirectory: false) }
    let entries = CertificateFolder(root: root, paths: paths).entries
    for entry in entries where missing.contains(entry.chain) {
      let isProven = search.map { $0.obstacle(to: entry.chain) == nil } ?? false
      guard let certificate = kept[entry.chain],
        certificate.isHeld || !isProven || entry.key != nil
      else { continue }
      var state = CertificateState(entry)
      state.file.answer = .version(certificate.certificate)
      states[entry.chain] = state
      outcome.noteCertificateChange(to: certificate.certificate)
    }
    for chain in missing { kept[chain] = nil }
    return outcome
  }
}
