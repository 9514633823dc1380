package import Diagnostics

extension Certificate {
  /// The kinds of what OpenSSL finds wrong with a certificate that can be served.
  package static let judgementKinds: Set<Diagnostics.Kind> = [.chainIncomplete, .selfSigned]

  /// OpenSSL's judgement of the certificate as it is served. It takes some hundred microseconds, so
  /// it is for background work.
  ///
  /// An error means that no client can use it, because OpenSSL would refuse it in every handshake.
  package func judge(trust: TrustStore, issuers: KnownIssuers?) -> [Diagnostic] {
    guard let usable = decoded() else {
      return [CertificateFault.undecodable(.init(path: path), what: "certificate").diagnostic]
    }
    if let reason = usable.refusal() { return [.refused(in: path, reason: reason)] }
    let chain = [usable.leaf] + usable.intermediates
    if chain.count == 1, chain[0].isSelfSigned { return [.selfSigned(in: path)] }
    // The last certificate of an unbroken chain; its issuer may be missing.
    let links = zip(chain, chain.dropFirst())
    let end = links.first { !$0.canBeIssued(by: $1) }?.0 ?? chain[chain.count - 1]
    let isWhole = end === chain[chain.count - 1]
    if isWhole && hasRoot || trust.knowsIssuer(of: end, remembering: issuers) { return [] }
    // With intermediates, but without roots to compare with, nothing is known.
    if isWhole && chain.count > 1 && trust.isEmpty { return [] }
    return [.incomplete(in: path, last: end.subject, issuer: end.issuer)]
  }
}
