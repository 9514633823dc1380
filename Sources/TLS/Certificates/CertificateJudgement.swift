package import Diagnostics

extension Certificate {
  /// The kinds of faults that OpenSSL finds in a certificate that can be served.
  package static let judgementKinds: Set<Diagnostics.Kind> = [.chainIncomplete, .selfSigned]

  /// Returns OpenSSL's findings on the certificate as served. Takes some hundred microseconds, so
  /// call it in background work.
  ///
  /// An error means that OpenSSL would refuse the certificate in every handshake, so no client can
  /// use it.
  package func judge(trust: TrustStore, issuers: KnownIssuers?) -> [Diagnostic] {
    guard let usable = decoded() else {
      return [CertificateFault.undecodable(.init(path: path), what: "certificate").diagnostic]
    }
    if let reason = usable.refusal() { return [.refused(in: path, reason: reason)] }
    let chain = [usable.leaf] + usable.intermediates
    if chain.count == 1, chain[0].isSelfSigned { return [.selfSigned(in: path)] }
    // The last certificate of an unbroken chain, whose issuer may be missing.
    let links = zip(chain, chain.dropFirst())
    let end = links.first { !$0.canBeIssued(by: $1) }?.0 ?? chain[chain.count - 1]
    let isWhole = end === chain[chain.count - 1]
    if isWhole && hasRoot || trust.knowsIssuer(of: end, remembering: issuers) { return [] }
    // Without roots to compare with, a chain with intermediates cannot be checked.
    if isWhole && chain.count > 1 && trust.isEmpty { return [] }
    return [.incomplete(in: path, last: end.subject, issuer: end.issuer)]
  }
}
