internal import Diagnostics
internal import TLS

/// What is known of one certificate of the folder.
struct CertificateState {
  var entry: CertificateFolder.Entry
  var file = FileState<Certificate>()
  /// See `CertificateReader.Reading`.
  var identity = 0
  /// OpenSSL has not judged what is served yet.
  var isUnjudged = false
  /// What was served before that.
  var previous: Certificate?
  /// What OpenSSL refused, and why: the same files are not served again.
  var refused: (certificate: Certificate, fault: Diagnostic)?
  /// Since when the files have looked half written, in milliseconds of the monotonic clock.
  var halfSince: Int64?
  /// Stand for what was reported of the files, and of what OpenSSL said.
  var reported = 0
  var reportedJudgement = 0
  /// How often in a row it could not be read.
  var failures = 0

  init(_ entry: CertificateFolder.Entry) { self.entry = entry }

  var certificate: Certificate? { file.answer.version }
}

extension CertificateState {
  /// What a finding comes to.
  enum Weighing {
    case counts(Finding<Certificate>)
    /// The files look half written: they are read again at a time of the monotonic clock, in
    /// milliseconds.
    case waits(until: Int64)
  }

  /// Milliseconds for which a file may lack an intermediate that it had: whoever writes a chain writes
  /// the leaf first.
  static let halfChainPause: Int64 = 10_000
  /// Milliseconds for which a pair of files may be unusable before that is reported: key and chain are
  /// written one after the other.
  static let halfPairPause: Int64 = 1_000

  /// What a finding means for this certificate. What is served gives way only to what clients accept.
  ///
  /// - Parameter wall: seconds since 1970.
  mutating func weigh(
    _ finding: Finding<Certificate>, now: Int64, wall: Int64
  ) -> Weighing {
    let (weighed, pause) = weighing(finding, wall: wall)
    let since = halfSince ?? now
    if now - since < pause {
      halfSince = since
      return .waits(until: since + pause)
    }
    halfSince = nil
    return .counts(weighed)
  }

  private func weighing(
    _ finding: Finding<Certificate>, wall: Int64
  ) -> (finding: Finding<Certificate>, pause: Int64) {
    if case .usable(let new) = finding, let refused, refused.certificate.isSame(as: new) {
      return (.unusable(refused.fault), 0)
    }
    guard let served = certificate else { return (finding, 0) }
    switch finding {
    case .usable(let new):
      if served.isSame(as: new) { return (.usable(served), 0) }
      let isHalf = new.intermediateCount < served.intermediateCount
      return (finding, isHalf ? Self.halfChainPause : 0)
    case .flawed(let new, let fault):
      if served.isSame(as: new) { return (.flawed(served, fault), 0) }
      return (new.isValid(at: wall) ? finding : .unusable(fault), 0)
    case .unusable: return (finding, Self.halfPairPause)
    case .unreadable, .absent: return (finding, 0)
    }
  }
}
