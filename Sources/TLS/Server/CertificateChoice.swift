/// The certificates for a name: at most one for each kind of key, in the order in which the kinds
/// are declared. Nearly always it is one, and then no list is kept.
enum CertificateChoice: Sendable {
  case one(Certificate)
  case several([Certificate])

  var certificates: [Certificate] {
    switch self {
    case .one(let certificate): [certificate]
    case .several(let certificates): certificates
    }
  }

  func isValid(at now: Int64) -> Bool {
    switch self {
    case .one(let certificate): certificate.isValid(at: now)
    case .several(let certificates): certificates.contains { $0.isValid(at: now) }
    }
  }

  /// The choice among certificates that have the same name; nil when there are none.
  ///
  /// What is valid now goes before what is not, and among those the one that lasts longest.
  static func best(of certificates: [Certificate], now: Int64) -> CertificateChoice? {
    if certificates.count < 2 { return certificates.first.map { .one($0) } }
    let anyValid = certificates.contains { $0.isValid(at: now) }
    let best = Certificate.Kind.allCases.compactMap { kind in
      certificates
        .filter { $0.kind == kind && (!anyValid || $0.isValid(at: now)) }
        .max { $0.notAfter < $1.notAfter }
    }
    return best.count == 1 ? .one(best[0]) : .several(best)
  }
}
