package import Diagnostics

/// Diagnostics about the signatures of signed files.
extension Kind {
  static let signatureGood = Kind(
    "A190", "signature-good", "the file is signed by a trusted signer",
    "iOS 9 and later need no signature: an unsigned JSON file has the same effect",
    "Apple's documentation says so (grade D)", severity: .note)
  static let signatureUntrusted = Kind(
    "A191", "signature-untrusted", "no trusted authority vouches for the file's signer",
    "devices that check signatures (iOS 8) reject the file",
    "Apple's documentation says so (grade D)", severity: .warning)
  static let signatureOutOfDate = Kind(
    "A192", "signature-out-of-date",
    "a certificate in the signature has expired or is not valid yet",
    "devices that check signatures (iOS 8) reject the file",
    "Apple's documentation says so (grade D)", severity: .warning)
  static let signatureBroken = Kind(
    "A193", "signature-broken", "the file was altered after it was signed, or has no signature",
    "no signature matches the content; Apple does not say whether iOS 9 and later accept the file",
    nil)
  static let signedContentUnreadable = Kind(
    "A194", "signed-content-unreadable", "the content of the signed file cannot be read",
    "a signed file without readable content permits nothing",
    "Apple asks for DER with the content attached (grade D)", effect: .allDevices)
}

package let signatureKinds: [Kind] = [
  .signatureGood, .signatureUntrusted, .signatureOutOfDate, .signatureBroken,
  .signedContentUnreadable,
]

extension CMSError {
  /// Returns this error as a diagnostic about the signed file at `path`.
  package func diagnostic(at path: String) -> Diagnostic {
    Diagnostic(.signedContentUnreadable, message, at: .init(path: path), help: help)
  }
}

extension SignatureVerdict {
  /// Returns this verdict as a diagnostic about the signed file at `path`.
  package func diagnostic(at path: String, note: String? = nil) -> Diagnostic {
    Diagnostic(kind, message, at: .init(path: path), help: help, note: note)
  }

  private var kind: Kind {
    switch self {
    case .good: .signatureGood
    case .untrusted: .signatureUntrusted
    case .expired, .notYetValid: .signatureOutOfDate
    case .altered, .noSigner: .signatureBroken
    case .detached, .malformed: .signedContentUnreadable
    }
  }
}
