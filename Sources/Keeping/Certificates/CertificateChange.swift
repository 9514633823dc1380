internal import Catalog
internal import Diagnostics
internal import Settings
internal import TLS

/// A new certificate that replaces the served one only after an operator confirms the change,
/// because clients would refuse the new certificate or a host would lose its only certificate.
struct CertificateChange {
  let fingerprint: String
  let hold: Hold

  /// - Parameters:
  ///   - reason: Why an operator must confirm the change.
  ///   - path: The path of the chain's file.
  ///   - canConfirm: Whether there is a state folder in which an operator can confirm the hold.
  init(to new: Certificate, _ reason: String, at path: String, _ canConfirm: Bool) {
    fingerprint = new.chainFingerprint
    let id = HoldNames(path, [fingerprint]).id
    hold = Hold(
      id: id,
      fault: Diagnostic(
        .certificateChangeHeld, reason, at: .init(path: path),
        help: "put the right chain and key in place; \(confirming(id, canConfirm))",
        note: "the old certificate is still served"))
  }
}

/// Holds back changes of certificates until an operator confirms them.
extension CertificateKeeper {
  /// Returns the change if an operator must confirm that `new` replaces `served`; otherwise returns
  /// nil. An automatic certificate may always replace the served one, because the issuer has
  /// checked it.
  ///
  /// - Parameter isStart: Whether the served certificate was restored from the last run.
  mutating func heldChange(
    of served: Certificate?, to new: Certificate, _ chain: String, isStart: Bool, wall: Int64
  ) -> CertificateChange? {
    guard let served, !options.areCertificatesIssuedHere, served.isValid(at: wall),
      !served.isSame(as: new), confirmedChanges[chain] != new.chainFingerprint
    else { return nil }
    let reason: String
    if let trust = trustStore(), let fault = new.fault(after: served, trust: trust, now: wall) {
      reason = "clients would refuse the new chain because of the certificate \(fault)"
    } else {
      let lost = hostsLost(from: served, to: new, chain, isStart: isStart, wall: wall)
      guard let first = lost.first else { return nil }
      let others = lost.count == 1 ? "" : " and \(lost.count - 1) more"
      reason =
        "the new certificate does not cover \(first)\(others), nor does any other certificate"
    }
    return CertificateChange(to: new, reason, at: "\(root)/\(chain)", options.canConfirm)
  }

  /// Returns the served hosts that no certificate would cover after the change. Ignores
  /// certificates that are not valid now, and certificates whose files are missing.
  private func hostsLost(
    from served: Certificate, to new: Certificate, _ chain: String, isStart: Bool, wall: Int64
  ) -> [String] {
    let covered = CoveredNames([new])
    if served.names.hosts.allSatisfy(covered.contains) { return [] }
    let others = items.filter { $0.key != chain && !folder.names.isMissing($0.key) }.values
    let valid = (others.compactMap(\.certificate) + elsewhere).filter { $0.isValid(at: wall) }
    let after = CoveredNames([new] + valid)
    // At the start, the server does not know yet which hosts it serves, so include every host of
    // the served certificate.
    if isStart { return served.names.hosts.filter { !after.contains($0) } }
    guard let catalog else { return [] }
    let before = CoveredNames([served])
    let hosts = catalog.hosts + catalog.wildcards.filter { $0.hasPrefix("*.") }
    return hosts.filter { before.contains($0) && !after.contains($0) }
  }

  /// Confirms the changes with these IDs. The next scan applies the confirmed changes.
  mutating func confirmOthers(
    _ ids: Set<String>, at now: Moment, _ outcome: inout Outcome
  ) -> Pass<String>? {
    for (chain, change) in changes where ids.contains(change.hold.id) {
      confirmedChanges[chain] = change.fingerprint
      items[chain]?.identity = 0
      outcome.confirmed.insert(change.hold.id)
    }
    generation += 1
    return outcome.confirmed.isEmpty ? nil : Pass(isFinal: true)
  }
}
