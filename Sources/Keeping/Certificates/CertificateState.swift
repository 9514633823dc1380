internal import Diagnostics
internal import TLS

/// The state of one certificate of the folder.
struct CertificateState {
  var entry: CertificateFolder.Entry
  var file = FileState<Certificate>()
  /// The identity of the certificate's files at the last read; see
  /// `CertificateReader.Reading.identity`. If the identity is 0, the next scan reads the files
  /// again.
  var identity = 0
  /// Whether OpenSSL has not checked the served certificate yet.
  var isUnjudged = false
  /// The certificate that was served before the current certificate.
  var previous: Certificate?
  /// The certificate that OpenSSL refused, with the fault. If a later read of the files returns the
  /// same certificate, it is not served. The value is boxed to save memory, because few certificates
  /// are refused.
  var refused: Boxed<(certificate: Certificate, fault: Diagnostic)>?
  /// When the files were first found to look half-written, in milliseconds of the monotonic clock.
  /// Nil if the last read found no half-written file.
  var halfSince: Int64?
  /// A hash of the findings of OpenSSL that were last reported.
  var reportedJudgement = 0
  /// The number of consecutive failed reads.
  var failures = 0

  init(_ entry: CertificateFolder.Entry) { self.entry = entry }

  var certificate: Certificate? { file.answer.version }
}

extension CertificateState {
  /// How long to wait for the rest of a half-written chain, in milliseconds. Programs write the
  /// leaf certificate first, so a new chain with fewer intermediates than the served chain may be
  /// half-written.
  static let halfChainPause: Int64 = 10_000

  /// Decides whether a finding takes effect now. Only a certificate that clients accept replaces
  /// the served one. Returns the finding, which the comparison with the served certificate can
  /// change. If the files look half-written, also returns when to read them again, in milliseconds
  /// of the monotonic clock; the finding does not take effect then.
  ///
  /// - Parameters:
  ///   - wall: Seconds since 1970.
  ///   - isPatient: Whether to wait until a fault has persisted even if no certificate is served.
  mutating func assess(
    _ finding: FileFinding<Certificate>, now: Int64, wall: Int64, isPatient: Bool = false
  ) -> (finding: FileFinding<Certificate>, until: Int64?) {
    var (assessed, pause) = assessment(finding, wall: wall)
    if certificate == nil && !isPatient { pause = 0 }
    let since = halfSince ?? now
    if now - since < pause {
      halfSince = since
      return (assessed, since + pause)
    }
    halfSince = nil
    return (assessed, nil)
  }

  /// Compares a finding with the served certificate. The comparison can change the finding: for
  /// example, a certificate that is not valid now becomes unusable. Returns the result, and the
  /// milliseconds for which the result must persist before it takes effect.
  func assessment(
    _ finding: FileFinding<Certificate>, wall: Int64
  ) -> (finding: FileFinding<Certificate>, pause: Int64) {
    if case .usable(let new) = finding, let refused = refused?.value,
      refused.certificate.isSame(as: new)
    {
      return (.unusable(refused.fault), 0)
    }
    // A program writes the key and the chain one after the other, and may replace a link in two
    // steps. Between the steps, the files seem to have a fault. So wait before a fault takes
    // effect.
    let lasting = ObservationLimits.lastingFault
    guard let served = certificate else { return (finding, finding.isUnreadable ? lasting : 0) }
    switch finding {
    case .usable(let new):
      if served.isSame(as: new) { return (.usable(served), 0) }
      let isHalf = new.intermediateCount < served.intermediateCount
      return (finding, isHalf ? Self.halfChainPause : 0)
    case .flawed(let new, let fault):
      if served.isSame(as: new) { return (.flawed(served, fault), 0) }
      return (new.isValid(at: wall) ? finding : .unusable(fault), 0)
    case .unusable, .unreadable: return (finding, lasting)
    case .absent: return (finding, 0)
    }
  }
}
