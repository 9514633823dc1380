internal import Diagnostics
internal import Settings
internal import TLS

/// Returns the certificates to serve, and their status.
extension CertificateKeeper {
  /// The served certificates with the names of their files. The array is sorted by path. Therefore,
  /// the choice of a certificate for a connection depends only on the files.
  var served: [(name: String, certificate: Certificate)] {
    items.compactMap { chain, state in
      state.certificate.map { (chain, served: (name: state.entry.name, certificate: $0)) }
    }.sorted { $0.0 < $1.0 }.map(\.served)
  }

  /// Returns the faults that OpenSSL finds in a certificate. Does not check whether the CA of an
  /// automatic certificate is trusted, because the issuer has already checked the CA.
  func judgement(
    of certificate: Certificate, _ trust: TrustStore, at now: Moment
  ) -> [Diagnostic] {
    certificate.judge(
      trust: options.areCertificatesIssuedHere ? nil : trust, issuers: issuers,
      now: now.wall)
  }

  /// The next time at which a certificate becomes valid or expires, in seconds since 1970. At that
  /// time, the server may choose other certificates. Nil if there is no such time.
  func nextChangeOfDates(after now: Moment) -> Int64? {
    items.values.compactMap(\.certificate).flatMap { [$0.notBefore, $0.notAfter + 1] }
      .filter { $0 > now.wall }.min()
  }

  /// The state of each certificate, sorted by path.
  var statuses: [CertificateStatus] {
    items.values.map { state in
      CertificateStatus(
        name: state.entry.name, file: state.entry.chain, certificate: state.certificate,
        problem: problems[state.entry.chain], isIssuedHere: options.areCertificatesIssuedHere)
    }.sorted { $0.file < $1.file }
  }
}
