internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// Everything that the last run kept.
struct KeptState {
  var entries: [DomainName: KeptEntry] = [:]
  /// Certificates of users, by the path of the chain.
  var certificates: [String: KeptCertificate] = [:]
  /// Automatic certificates, by the path of the chain.
  var issued: [String: KeptCertificate] = [:]
  /// The names in the domains folder.
  var known: Set<DomainName> = []
  var diagnostics: [Diagnostic] = []

  /// Adds the content of a kept file. Returns false if the file is damaged.
  mutating func take(_ bytes: [UInt8], of key: KeptKey, _ options: HostingOptions) -> Bool {
    guard var entry = KeptEntry(bytes) else { return false }
    defer { entry.cleanseKey() }
    switch key {
    case .entry(let name):
      if entry.parts.contains(where: { $0.place == .certificate }) { return false }
      entries[name] = entry
    case .certificate(let chain, let isIssued):
      guard entry.parts.map(\.place) == [.certificate] else { return false }
      // Without HTTPS, no certificate is used.
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
  /// Whether its file was missing, and an operator had yet to confirm the loss.
  let isHeld: Bool
}

/// Reads a certificate. A separate function, so that no other reference to the key's bytes is alive
/// when they are overwritten.
@inline(never)
private func certificate(_ pem: [UInt8], _ path: String) -> Certificate? {
  let conditions = CertificateFile.Conditions(
    now: Clock.wallSeconds(), warningDays: 0, intermediates: SharedIntermediates())
  return CertificateFile(chain: SourceText(path: path, bytes: pem)).read(conditions).certificate
}

extension Diagnostic {
  /// - Parameter source: The served file of which a version was kept; nil for anything else.
  static func damaged(_ path: String, keptOf source: String? = nil) -> Diagnostic {
    Diagnostic(
      .keptVersionDamaged, "this file is damaged, and not used", at: .init(path: path),
      help: source.map { "repair \($0) if it is faulty too; otherwise there is nothing to do" }
        ?? "there is nothing to do: it is replaced")
  }

  /// - Parameter count: The number of files that a later version wrote.
  static func keptLater(_ path: String, of count: Int) -> Diagnostic {
    let more = count == 1 ? "" : ", and \(count - 1) more in the state folder"
    return Diagnostic(
      .stateFolderUnusable, "a later version of aasa wrote this file\(more)",
      at: .init(path: path), help: "run that version, or remove the file",
      note: "it is neither used nor changed, and nothing is kept in its place")
  }

  static func keptUnreadable(_ path: String, _ error: SystemError) -> Diagnostic {
    Diagnostic(
      .stateFolderUnusable, "a kept version cannot be read: \(error.reason)", at: .init(path: path),
      help: "check the disk, and whether the server's user may read it, then restart the server",
      note: "it is neither used nor changed, and nothing is kept in its place")
  }
}
