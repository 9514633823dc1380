internal import Diagnostics
internal import TLS

/// The state of one certificate of the folder.
struct CertificateState {
  var entry: CertificateFolder.Entry
  var file = FileState<Certificate>()
  /// See `CertificateReader.Reading`.
  var identity = 0
  /// Whether OpenSSL has yet to check the served certificate.
  var isUnjudged = false
  /// The certificate that was served before the current one.
  var previous: Certificate?
  /// The certificate that OpenSSL refused, with the fault. It is not served if the files contain it
  /// again.
  var refused = Refusal.none
  /// When the files first looked half-written, in milliseconds of the monotonic clock; nil if they
  /// do not look half-written.
  var halfSince: Int64?
  /// A hash of OpenSSL's findings that were last reported.
  var reportedJudgement = 0
  /// The number of consecutive failed reads.
  var failures = 0

  /// The enumeration is indirect to save memory, because there may be many certificates, and few
  /// are refused.
  indirect enum Refusal {
    case none
    case refused(Certificate, Diagnostic)
  }

  init(_ entry: CertificateFolder.Entry) { self.entry = entry }

  var certificate: Certificate? { file.answer.version }
}

extension CertificateState {
  /// The result of assessing a finding.
  enum Assessment {
    case counts(FileFinding<Certificate>)
    /// The files look half-written. They are read again at this time, in milliseconds of the
    /// monotonic clock.
    case waits(until: Int64)
  }

  /// Milliseconds to wait for the rest of a new chain that has fewer intermediates than the served
  /// one, because programs write the leaf certificate first.
  static let halfChainPause: Int64 = 10_000

  /// Decides whether a finding takes effect now. Only a certificate that clients accept replaces
  /// the served one.
  ///
  /// - Parameters:
  ///   - wall: Seconds since 1970.
  ///   - isPatient: Whether a fault must persist before it takes effect, even if no certificate is
  ///     served.
  mutating func assess(
    _ finding: FileFinding<Certificate>, now: Int64, wall: Int64, isPatient: Bool = false
  ) -> Assessment {
    var (assessed, pause) = assessment(finding, wall: wall)
    if certificate == nil && !isPatient { pause = 0 }
    let since = halfSince ?? now
    if now - since < pause {
      halfSince = since
      return .waits(until: since + pause)
    }
    halfSince = nil
    return .counts(assessed)
  }

  /// Compares a finding with the served certificate. Returns the finding to use, and the
  /// milliseconds for which that finding must persist before it takes effect.
  func assessment(
    _ finding: FileFinding<Certificate>, wall: Int64
  ) -> (finding: FileFinding<Certificate>, pause: Int64) {
    if case .usable(let new) = finding, case .refused(let old, let fault) = refused,
      old.isSame(as: new)
    {
      return (.unusable(fault), 0)
    }
    // Wait, because a program does not write the key and the chain at the same time, and a link may
    // be broken in between.
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
