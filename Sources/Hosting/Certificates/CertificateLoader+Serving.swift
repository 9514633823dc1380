internal import Diagnostics
internal import Posix
internal import TLS

/// What is served of the certificates folder.
extension CertificateLoader {
  /// What sessions are made with from now on.
  func material(ticketKeys: TicketKeys, selfSigned: Certificate?) -> TLSMaterial {
    // In the order of paths, so that the same files make the same choice.
    let served = states.sorted { $0.key < $1.key }.compactMap { _, state in
      state.certificate.map { (name: state.entry.name, certificate: $0) }
    }
    return TLSMaterial.build(
      certificates: served, defaultName: options.defaultCertificate, ticketKeys: ticketKeys,
      standIn: selfSigned, now: Clock.wallSeconds())
  }

  /// Seconds since 1970 at which the choice among certificates may become another one, because one
  /// becomes valid or expires; nil when none does.
  var nextChangeOfDates: Int64? {
    let now = Clock.wallSeconds()
    return states.values.compactMap(\.certificate).flatMap { [$0.notBefore, $0.notAfter + 1] }
      .filter { $0 > now }.min()
  }

  /// What is loaded, for a person.
  var summary: CertificateSummary {
    let certificates = states.values.compactMap(\.certificate)
    return CertificateSummary(
      folder: root, count: certificates.count, total: states.count,
      names: certificates.flatMap(\.names.hosts), firstExpiry: certificates.map(\.notAfter).min())
  }

  /// What is loaded, one by one, in the order of paths.
  var statuses: [CertificateStatus] {
    states.values.map { state in
      CertificateStatus(
        name: state.entry.name, file: state.entry.chain, certificate: state.certificate,
        trouble: troubles[state.entry.chain])
    }.sorted { $0.file < $1.file }
  }
}
