package import Diagnostics
internal import Synchronization

/// A certificate that was read from its files, and what was found while reading.
package struct CertificateInspection: Sendable {
  /// The certificate; nil if the server cannot use it. An expired certificate can be used (see
  /// `TLSMaterial.init`).
  package let certificate: Certificate?
  package let diagnostics: [Diagnostic]
}

/// A certificate chain and its key in PEM files.
package struct CertificateFile: Sendable {
  /// The file with the chain. It also contains the key if `key` is nil.
  package let chain: SourceText
  package let key: SourceText?
  /// The permission bits of the file with the key; nil if unknown.
  package let keyMode: UInt32?

  package init(chain: SourceText, key: SourceText? = nil, keyMode: UInt32? = nil) {
    self.chain = chain
    self.key = key
    self.keyMode = keyMode
  }

  package struct Conditions: Sendable {
    /// The current time, in seconds since 1970.
    package var now: Int64
    /// A certificate that expires within this many days gets a warning.
    package var warningDays: Int
    /// Stores intermediates, so that equal chains share memory.
    package var intermediates: SharedIntermediates

    package init(now: Int64, warningDays: Int, intermediates: SharedIntermediates) {
      self.now = now
      self.warningDays = warningDays
      self.intermediates = intermediates
    }
  }

  /// Reads the certificate, and reports its faults. For OpenSSL's findings, call
  /// `Certificate.judge` afterwards.
  package func read(_ conditions: Conditions) -> CertificateInspection {
    var reading = CertificateReading(file: self, intermediates: conditions.intermediates)
    guard let certificate = reading.run() else {
      return CertificateInspection(certificate: nil, diagnostics: reading.diagnostics)
    }
    let time = certificate.timeDiagnostic(
      now: conditions.now, warningDays: conditions.warningDays)
    return CertificateInspection(
      certificate: certificate,
      diagnostics: reading.diagnostics + [time, modeDiagnostic].compactMap(\.self))
  }

  /// The file in which the key is expected.
  var keySource: SourceText { key ?? chain }

  /// A warning if every user can read the key. There is no warning about access for the group,
  /// because some systems need this access (Debian's ssl-cert, a pod's fsGroup).
  private var modeDiagnostic: Diagnostic? {
    guard let mode = keyMode, mode & 0o004 != 0 else { return nil }
    return .keyReadable(keySource.path, mode: mode)
  }
}

extension Certificate {
  /// The kinds of faults of the validity period.
  package static let dateKinds: Set<Diagnostics.Kind> = [
    .certificateExpired, .certificateNotYetValid, .certificateExpiresSoon,
  ]

  /// Returns a fault of the validity period at `now`, in seconds since 1970; nil if at least
  /// `warningDays` or at least a third of the lifetime remain.
  package func timeDiagnostic(now: Int64, warningDays: Int) -> Diagnostic? {
    let left = notAfter - now
    if now < notBefore { return .notYetValid(in: path, from: notBefore) }
    if left < 0 { return .expired(in: path, since: notAfter) }
    if left < min(Int64(warningDays) * 86_400, (notAfter - notBefore) / 3) {
      return .expiresSoon(in: path, at: notAfter, days: left / 86_400)
    }
    return nil
  }
}

/// A store of the intermediates of chains. Equal chains of intermediates share memory, because
/// nearly all certificates have the same few intermediates.
package final class SharedIntermediates: Sendable {
  private let chains = Mutex<Set<[[UInt8]]>>([])

  package init() {}

  /// Returns the stored copy of a chain, so that equal chains share memory.
  func shared(_ chain: [[UInt8]]) -> [[UInt8]] {
    if chain.isEmpty { return [] }
    return chains.withLock { chains in
      // Empty the full store. Most of the stored chains are probably no longer used.
      if chains.count >= TLSLimits.sharedIntermediates { chains.removeAll() }
      return chains.insert(chain).memberAfterInsert
    }
  }
}
