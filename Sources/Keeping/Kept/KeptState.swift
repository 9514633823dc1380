internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// What the last run kept.
struct KeptState {
  var entries: [DomainName: KeptEntry] = [:]
  /// By the paths of their chains.
  var certificates: [String: KeptCertificate] = [:]
  /// The same for automatic ones.
  var issued: [String: KeptCertificate] = [:]
  /// The names of the domains folder.
  var known: Set<DomainName> = []
  var diagnostics: [Diagnostic] = []

  /// Takes the content of a file. Returns false if it is damaged.
  mutating func take(_ bytes: [UInt8], of key: KeptKey, _ options: HostingOptions) -> Bool {
    guard var entry = KeptEntry(bytes) else { return false }
    defer { entry.cleanseKey() }
    switch key {
    case .entry(let name):
      if entry.parts.contains(where: { $0.place == .certificate }) { return false }
      entries[name] = entry
    case .certificate(let chain, let isIssued):
      guard entry.parts.map(\.place) == [.certificate] else { return false }
      // Without HTTPS it is not used.
      guard let root = isIssued ? options.issuedCertificates : options.certificates else {
        return true
      }
      guard let certificate = certificate(entry.parts[0].bytes, "\(root)/\(chain)") else {
        return false
      }
      let kept = KeptCertificate(certificate: certificate, isHeld: entry.isHeld)
      if isIssued { issued[chain] = kept } else { certificates[chain] = kept }
    }
    return true
  }
}

/// A certificate that the last run kept.
struct KeptCertificate {
  let certificate: Certificate
  /// Whether its file was missing, and that did not count before it was confirmed.
  let isHeld: Bool
}

/// A function of its own, so that nothing else retains the key's bytes when they are overwritten.
@inline(never)
private func certificate(_ pem: [UInt8], _ path: String) -> Certificate? {
  let conditions = CertificateFile.Conditions(
    now: Clock.wallSeconds(), warningDays: 0, intermediates: SharedIntermediates())
  return CertificateFile(chain: SourceText(path: path, bytes: pem)).read(conditions).certificate
}

extension Diagnostic {
  static func damaged(_ path: String) -> Diagnostic {
    Diagnostic(
      .keptVersionDamaged, "this file is damaged, and not used", at: .init(path: path),
      help: "nothing is to be done: it is replaced")
  }
}
