package import Diagnostics

extension Certificate {
  /// The kinds of faults that OpenSSL finds in a certificate that can be served.
  package static let judgementKinds: Set<Diagnostics.Kind> = [
    .chainIncomplete, .chainExpired, .selfSigned,
  ]

  /// Returns OpenSSL's findings on the certificate as served. Takes several hundred microseconds,
  /// so call it in background work.
  ///
  /// An error means that OpenSSL would refuse the certificate in every handshake, so no client can
  /// use it.
  ///
  /// - Parameters:
  ///   - trust: The trusted roots; nil to skip the check of the chain, and therefore all warnings.
  ///   - now: The current time, in seconds since 1970.
  package func judge(trust: TrustStore?, issuers: KnownIssuers?, now: Int64) -> [Diagnostic] {
    guard let usable = decoded() else {
      return [CertificateFault.undecodable(.init(path: path), what: "certificate").diagnostic]
    }
    if let reason = usable.refusal() { return [.refused(in: path, reason: reason)] }
    guard let trust else { return [] }
    let (intermediates, expired) = needed(of: usable, trust, now: now)
    let chain = [usable.leaf] + intermediates
    if chain.count == 1, chain[0].isSelfSigned { return [.selfSigned(in: path)] }
    // The last certificate before the first gap in the chain, or the last certificate of a chain
    // without gaps. The issuer of this certificate may be missing.
    let links = zip(chain, chain.dropFirst())
    let end = links.first { !$0.canBeIssued(by: $1) }?.0 ?? chain[chain.count - 1]
    let isWhole = end === chain[chain.count - 1]
    if isWhole && hasRoot || trust.knowsIssuer(of: end, remembering: issuers) { return expired }
    // Without known roots, nobody can tell whether a chain with intermediates is complete.
    if isWhole && chain.count > 1 && trust.isEmpty { return expired }
    return [.incomplete(in: path, end)] + expired
  }

  /// Returns the intermediates that clients may need, and a warning for each expired intermediate.
  /// Clients do not need an expired intermediate if the other certificates lead to a root.
  private func needed(
    of usable: UsableCertificate, _ trust: TrustStore, now: Int64
  ) -> (intermediates: [X509], warnings: [Diagnostic]) {
    let all = usable.intermediates
    let expired = all.filter { $0.notAfter < now }
    let rest = all.filter { one in !expired.contains { $0 === one } }
    guard isValid(at: now), !expired.isEmpty,
      let left = UsableCertificate(leaf: usable.leaf, intermediates: rest, key: usable.key)
    else { return (all, []) }
    let isNeeded = left.fault(upTo: rest.last, trust, now: now) != nil
    let warnings = expired.map {
      Diagnostic.expired(in: path, authority: $0.subject, isNeeded: isNeeded)
    }
    return (isNeeded ? all : rest, warnings)
  }
}
