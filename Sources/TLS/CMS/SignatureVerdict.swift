/// The result of verifying the signatures of a signed file.
package enum SignatureVerdict: Sendable, Equatable {
  /// Every signature is valid and every signer is trusted. `notAfter` is the earliest time at which
  /// a certificate of the signers' chains expires, in seconds since 1970.
  case good(signers: [String], notAfter: Int64)
  /// No chain leads from the signer to a trusted root. `issuer` is the issuer whose certificate is
  /// missing or not trusted; nil if the chain has another fault.
  case untrusted(signer: String, issuer: String?, reason: String)
  /// The signer would be trusted, but a certificate of the chain has expired. `notAfter` is in
  /// seconds since 1970.
  case expired(certificate: String, notAfter: Int64)
  /// The signer would be trusted, but a certificate of the chain is not valid yet. `notBefore` is
  /// in seconds since 1970.
  case notYetValid(certificate: String, notBefore: Int64)
  /// The content, a signature or a certificate was changed after signing.
  case altered(reason: String)
  /// There is no signature, or the signer's certificate is not in the file.
  case noSigner
  /// The content is not in the file.
  case detached
  /// The file is not signed data, is too large, or is signed in a way that cannot be checked.
  case malformed(reason: String)

  package var isGood: Bool {
    if case .good = self { true } else { false }
  }

  /// The verdict in words: one lower-case sentence without a full stop.
  package var message: String {
    switch self {
    case .good(let signers, let notAfter):
      "signed by \(signers.map { "\"\($0)\"" }.joined(separator: " and ")), valid until "
        + "\(day(notAfter))"
    case .untrusted(let signer, let issuer?, let reason):
      "the signer \"\(signer)\" is not trusted, because of the issuer \"\(issuer)\": \(reason)"
    case .untrusted(let signer, nil, let reason):
      "the signer \"\(signer)\" is not trusted: \(reason)"
    case .expired(let certificate, let notAfter):
      "the certificate \"\(certificate)\" of the signature expired on \(day(notAfter))"
    case .notYetValid(let certificate, let notBefore):
      "the certificate \"\(certificate)\" of the signature is not valid before \(day(notBefore))"
    case .altered(let reason): "the file was altered after it was signed: \(reason)"
    case .noSigner: "the file has no signature, or lacks the signer's certificate"
    case .detached: CMSError.detached.message
    case .malformed(let reason): reason
    }
  }

  /// How to fix the fault; nil if the verdict is good.
  package var help: String? {
    switch self {
    case .good: nil
    case .untrusted:
      "sign with the chain of intermediates (\"aasa sign --chain FILE\"), or pass the authority's "
        + "root with --trust"
    case .expired: "sign again with a certificate that is valid, or serve the JSON unsigned"
    case .notYetValid: "check this machine's clock"
    case .altered: "copy the file again in binary mode, or sign the JSON again"
    case .noSigner, .detached, .malformed: CMSError.detached.help
    }
  }
}
