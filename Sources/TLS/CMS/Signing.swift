internal import COpenSSL

extension CMS {
  /// Wraps `content` byte for byte in DER signed data, signed with SHA-256, as `openssl smime -sign
  /// -binary -nodetach -outform DER` does.
  ///
  /// Throws `contentTooLarge` if the content exceeds the limit, or `refused` if OpenSSL does not
  /// sign.
  package static func sign(
    _ content: [UInt8], by identity: SigningIdentity
  ) throws(CMSError) -> [UInt8] {
    guard content.count <= TLSLimits.signedContentBytes else {
      throw .contentTooLarge(bytes: content.count)
    }
    ErrorQueue.clear()
    // Do not add CMS_STREAM, because it produces indefinite lengths and DER needs definite lengths.
    let flags = UInt32(CMS_BINARY)
    guard let others = X509Stack(identity.others),
      let message = unsafe CMS_sign(
        nil, nil, others.handle.pointer, nil, flags | UInt32(CMS_PARTIAL))
    else { throw .refused(ErrorQueue.error("CMS_sign")) }
    defer { unsafe CMS_ContentInfo_free(message) }
    guard
      unsafe CMS_add1_signer(
        message, identity.certificate.handle.pointer, identity.key.handle.pointer, EVP_sha256(),
        flags) != nil
    else { throw .refused(ErrorQueue.error("CMS_add1_signer")) }
    let isFinal = unsafe content.withUnsafeBytes { bytes in
      let input = unsafe BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
      defer { unsafe BIO_free(input) }
      return unsafe input != nil && CMS_final(message, input, nil, flags) == 1
    }
    guard isFinal else { throw .refused(ErrorQueue.error("CMS_final")) }
    guard let der = unsafe encoding({ unsafe i2d_CMS_ContentInfo(message, $0) }) else {
      throw .refused(ErrorQueue.error("i2d_CMS_ContentInfo"))
    }
    return der
  }
}
