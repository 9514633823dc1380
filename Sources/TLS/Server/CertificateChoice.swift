/// The certificates for a name: at most one for each kind of key, in the order in which the kinds
/// are declared. Nearly always it is one, and then no list is kept.
///
/// No enumeration: that would mark the list's address with its case, and tools that look for memory
/// to which nothing leads would take the list for lost.
struct CertificateChoice: Sendable {
  private let first: Certificate
  private let others: [Certificate]

  init(_ certificate: Certificate) { (first, others) = (certificate, []) }

  /// Nil when there are none.
  private init?(_ certificates: [Certificate]) {
    guard let first = certificates.first else { return nil }
    self.first = first
    others = Array(certificates.dropFirst())
  }

  var certificates: [Certificate] { [first] + others }

  func isValid(at now: Int64) -> Bool {
    first.isValid(at: now) || others.contains { $0.isValid(at: now) }
  }

  /// Whether each of them covers `host`.
  func covers(host: Span<UInt8>) -> Bool {
    if !first.covers(host: host) { return false }
    for certificate in others where !certificate.covers(host: host) { return false }
    return true
  }

  /// The choice among certificates that have the same name; nil when there are none.
  ///
  /// What is valid now goes before what is not, and among those the one that lasts longest.
  static func best(of certificates: [Certificate], now: Int64) -> CertificateChoice? {
    if certificates.count < 2 { return CertificateChoice(certificates) }
    let anyValid = certificates.contains { $0.isValid(at: now) }
    return CertificateChoice(
      Certificate.Kind.allCases.compactMap { kind in
        certificates
          .filter { $0.kind == kind && (!anyValid || $0.isValid(at: now)) }
          .max { $0.notAfter < $1.notAfter }
      })
  }
}
