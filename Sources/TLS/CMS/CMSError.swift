internal import Diagnostics

/// Why a signed file cannot be read or made.
package enum CMSError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file is not CMS in DER or BER, or is corrupt. The text contains OpenSSL's reasons.
  case malformed(String)
  /// The file is CMS, but not signed data. The text is the name of the file's CMS content type.
  case otherKind(String)
  /// The file is signed data without its content, which is in another file.
  case detached
  /// The file is larger than `TLSLimits.signedFileBytes`.
  case fileTooLarge(bytes: Int)
  /// The content is larger than `TLSLimits.signedContentBytes`.
  case contentTooLarge(bytes: Int)
  /// A certificate or key file cannot be used.
  case file(CertificateFault)
  /// OpenSSL refuses to sign.
  case refused(TLSError)

  /// One lower-case sentence without a full stop: the fault and how to fix it.
  package var description: String {
    switch self {
    case .file(let fault): fault.diagnostic.line
    default: message + (help.map { "; " + $0 } ?? "")
    }
  }

  /// The fault in words, without advice on how to fix it.
  package var message: String {
    switch self {
    case .malformed(let reason): "the data is not CMS signed data in DER: \(reason)"
    case .otherKind(let name): "the CMS data has the type \(name), but should be signed data"
    case .detached: "the signed data has no content: the signature is detached"
    case .fileTooLarge(let bytes):
      "the signed file has \(bytes) bytes, more than the limit of \(TLSLimits.signedFileBytes)"
    case .contentTooLarge(let bytes):
      "the content has \(bytes) bytes, more than Apple's limit of \(TLSLimits.signedContentBytes)"
    case .file(let fault): fault.diagnostic.message
    case .refused(let error): "OpenSSL refuses to sign: \(error)"
    }
  }

  /// How to fix the fault.
  package var help: String? {
    switch self {
    case .malformed, .otherKind, .detached:
      "sign the JSON file again, for example with \"aasa sign\""
    case .fileTooLarge: "sign with the certificate and its intermediates only"
    case .contentTooLarge: "remove comments and white space, or join rules with wildcards"
    case .file(let fault): fault.diagnostic.help
    case .refused: "sign with another certificate and key"
    }
  }
}
