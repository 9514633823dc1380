internal import COpenSSL

extension CMS {
  /// Verifies the signatures of signed data at `now`, in seconds since 1970.
  ///
  /// The verification is as strict as `openssl cms -verify -purpose any` and checks in the same
  /// order: first each signer's chain, then the signatures and the content. A signer's certificate
  /// may have any purpose, because Apple accepts a site's TLS certificate. After OpenSSL's checks,
  /// `SignedMessage.contradiction` makes checks that OpenSSL omits.
  package static func verify(
    _ der: [UInt8], trust: TrustStore, now: Int64
  ) -> SignatureVerdict {
    do throws(CMSError) {
      let message = try SignedMessage(der)
      _ = try message.content()
      return message.verdict(trust: trust, now: now)
    } catch .detached {
      return .detached
    } catch {
      return .malformed(reason: error.message)
    }
  }

  /// What to verify in a signed file.
  package enum Question: Sendable {
    case contentOnly
    /// Verify whether the content, a signature or a certificate was changed after signing. Do not
    /// check the signers.
    case alteration
    /// Verify whether the signers are trusted at `now`, in seconds since 1970; see `verify`.
    case trust(TrustStore, now: Int64)
  }

  /// Parses signed data only once to return both its content and the verdict on its signatures.
  ///
  /// - Returns: The content and the verdict. The verdict is nil for `.contentOnly`, and also for
  ///   `.alteration` if no alteration was found.
  package static func open(
    _ der: [UInt8], _ question: Question
  ) throws(CMSError) -> (content: [UInt8], verdict: SignatureVerdict?) {
    let message = try SignedMessage(der)
    let content = try message.content()
    switch question {
    case .contentOnly: return (content, nil)
    case .alteration: return (content, message.alteration())
    case .trust(let trust, let now): return (content, message.verdict(trust: trust, now: now))
    }
  }
}

extension SignedMessage {
  /// Returns a verdict if the content, a signature or a certificate was changed after signing; nil
  /// if nothing was changed, or if the signatures cannot be checked.
  fileprivate func alteration() -> SignatureVerdict? {
    let count = signerCount
    guard (1...TLSLimits.signers).contains(count) else { return nil }
    ErrorQueue.clear()
    guard unsafe Int(CMS_set1_signers_certs(pointer, nil, 0)) == count,
      let fault = signatureFault(), case .altered = fault
    else { return nil }
    return fault
  }

  fileprivate func verdict(trust: TrustStore, now: Int64) -> SignatureVerdict {
    let count = signerCount
    guard count > 0 else { return .noSigner }
    guard count <= TLSLimits.signers else {
      return .malformed(
        reason:
          "the file has \(count) signatures, more than the \(TLSLimits.signers) that are checked"
      )
    }
    // OpenSSL returns nil if the file has no certificates.
    guard let list = unsafe CMS_get1_certs(pointer) else { return .noSigner }
    let certificates = unsafe X509Stack(owning: list)
    guard certificates.count <= TLSLimits.chainCertificates else {
      return .malformed(
        reason: "the file has \(certificates.count) certificates, more than the "
          + "\(TLSLimits.chainCertificates) that are read")
    }
    ErrorQueue.clear()
    guard unsafe Int(CMS_set1_signers_certs(pointer, nil, 0)) == count else { return .noSigner }

    var signers: [String] = []
    var end = Int64.max
    for index in 0..<count {
      guard let signer = signerCertificate(index) else { return .noSigner }
      let search = ChainSearch(signer: signer, others: certificates, trust: trust)
      if let fault = search.fault(now: now, end: &end) { return fault }
      signers.append(signer.subject)
    }
    return signatureFault() ?? .good(signers: signers, notAfter: end)
  }

  private func signerCertificate(_ index: Int) -> X509? {
    var certificate: OpaquePointer? = nil
    unsafe CMS_SignerInfo_get0_algs(
      aasa_cms_signer_get(pointer, Int32(index)), nil, &certificate, nil, nil)
    return unsafe X509(sharing: certificate)
  }

  /// Returns a fault of the signatures or of the content's digests; nil if there is none.
  fileprivate func signatureFault() -> SignatureVerdict? {
    ErrorQueue.clear()
    let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
    if unsafe CMS_verify(pointer, nil, nil, nil, nil, flags) == 1 {
      return contradiction().map { .altered(reason: $0) }
    }
    var isMismatch = false
    let reason = ErrorQueue.drain { entry in
      if entry.library == ERR_LIB_CMS, mismatches.contains(entry.reason) { isMismatch = true }
    }
    return isMismatch
      ? .altered(reason: reason)
      : .malformed(reason: "the signature cannot be checked: \(reason)")
  }
}

/// OpenSSL's error reasons that mean that a signature or a digest does not match. Any other reason
/// means that OpenSSL could not do the check.
private let mismatches: Set<Int32> = [
  CMS_R_VERIFICATION_FAILURE, CMS_R_CONTENT_VERIFY_ERROR, CMS_R_MESSAGEDIGEST_WRONG_LENGTH,
]

/// The search for a chain from a signer to a trusted root (RFC 5280 section 6).
private struct ChainSearch {
  let signer: X509
  /// All certificates in the signed file. The chain may contain any of them as an intermediate.
  let others: X509Stack
  let trust: TrustStore

  /// Returns why the signer has no valid chain to a trusted root; nil if there is such a chain. If
  /// a certificate of the chain expires before `end`, sets `end` to the time of the expiry.
  ///
  /// First checks the chain without validity periods, because OpenSSL stops at the first fault, and
  /// an expired certificate must not hide another fault.
  func fault(now: Int64, end: inout Int64) -> SignatureVerdict? {
    var ignored = Int64.max
    return run(now: nil, end: &ignored) ?? run(now: now, end: &end)
  }

  private func run(now: Int64?, end: inout Int64) -> SignatureVerdict? {
    ErrorQueue.clear()
    guard let context = unsafe X509_STORE_CTX_new() else {
      return .malformed(reason: "\(ErrorQueue.error("X509_STORE_CTX_new"))")
    }
    defer { unsafe X509_STORE_CTX_free(context) }
    guard
      unsafe X509_STORE_CTX_init(
        context, trust.handle.pointer, signer.handle.pointer,
        others.handle.pointer) == 1,
      let parameters = unsafe X509_STORE_CTX_get0_param(context),
      unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_ANY) == 1
    else { return .malformed(reason: "\(ErrorQueue.error("X509_STORE_CTX_init"))") }
    if let now {
      unsafe X509_VERIFY_PARAM_set_time(parameters, Int(now))
    } else {
      _ = unsafe X509_VERIFY_PARAM_set_flags(parameters, UInt(X509_V_FLAG_NO_CHECK_TIME))
    }
    if unsafe X509_verify_cert(context) == 1 {
      for certificate in unsafe X509.list(sharing: X509_STORE_CTX_get0_chain(context)) {
        if let validity = certificate.validity { end = min(end, validity.notAfter) }
      }
      return nil
    }
    let code = unsafe X509_STORE_CTX_get_error(context)
    let current = unsafe X509(sharing: X509_STORE_CTX_get_current_cert(context)) ?? signer
    return verdict(code, at: current)
  }

  private func verdict(_ code: Int32, at certificate: X509) -> SignatureVerdict {
    let reason = unsafe String(cString: X509_verify_cert_error_string(Int(code)))
    switch code {
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return .expired(
        certificate: certificate.subject, notAfter: certificate.validity?.notAfter ?? 0)
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return .notYetValid(
        certificate: certificate.subject, notBefore: certificate.validity?.notBefore ?? 0)
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return .altered(
        reason: "the certificate \"\(certificate.subject)\" is not signed by its "
          + "issuer \"\(certificate.issuer)\"")
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
      X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
      X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
      return .untrusted(signer: signer.subject, issuer: certificate.issuer, reason: reason)
    default:
      return .untrusted(signer: signer.subject, issuer: nil, reason: reason)
    }
  }
}
