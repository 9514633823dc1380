internal import COpenSSL

/// CMS signed data made for a test, also in forms that the program never writes.
package struct TestSignedMessage {
  package struct Options: OptionSet, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let detached = Self(rawValue: UInt32(CMS_DETACHED))
    /// Without the signers' certificates.
    package static let withoutCertificates = Self(rawValue: UInt32(CMS_NOCERTS))
    package static let withoutAttributes = Self(rawValue: UInt32(CMS_NOATTR))
    /// Names the signer by its key, not by issuer and number.
    package static let byKey = Self(rawValue: UInt32(CMS_USE_KEYID))
    /// BER with indefinite lengths.
    package static let streamed = Self(rawValue: UInt32(CMS_STREAM))
    /// RSASSA-PSS.
    package static let pss = Self(rawValue: 1 << 31)
  }

  package enum Digest: Sendable { case sha1, sha256, sha512 }

  package static func der(
    _ content: [UInt8], signers: [TestCertificate], others: [TestCertificate] = [],
    _ options: Options = [], digest: Digest = .sha256
  ) -> [UInt8] {
    let flags = (options.rawValue & ~Options.pss.rawValue) | UInt32(CMS_BINARY)
    let message = CMS_sign(nil, nil, nil, nil, flags | UInt32(CMS_PARTIAL))
    defer { CMS_ContentInfo_free(message) }
    for other in others { CMS_add1_cert(message, other.pointer) }
    for signer in signers {
      let kind =
        switch digest {
        case .sha1: EVP_sha1()
        case .sha256: EVP_sha256()
        case .sha512: EVP_sha512()
        }
      let isPSS = options.contains(.pss)
      let entry = CMS_add1_signer(
        message, signer.pointer, signer.key.pointer, kind,
        isPSS ? flags | UInt32(CMS_KEY_PARAM) : flags)
      precondition(entry != nil)
      if isPSS {
        let context = CMS_SignerInfo_get0_pkey_ctx(entry)
        precondition(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1)
      }
    }
    return content.withUnsafeBytes { bytes in
      let input = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
      defer { BIO_free(input) }
      if options.contains(.streamed) {
        return written { i2d_CMS_bio_stream($0, message, input, Int32(flags)) }
      }
      precondition(CMS_final(message, input, nil, flags) == 1)
      return written { i2d_CMS_bio($0, message) }
    }
  }

  /// Content and a certificate, but no signature.
  package static func unsigned(_ content: [UInt8], with certificate: TestCertificate) -> [UInt8] {
    // OpenSSL's CMS functions make it only without content.
    let message = PKCS7_new()
    defer { PKCS7_free(message) }
    precondition(PKCS7_set_type(message, NID_pkcs7_signed) == 1)
    precondition(PKCS7_content_new(message, NID_pkcs7_data) == 1)
    precondition(PKCS7_add_certificate(message, certificate.pointer) == 1)
    let data = message?.pointee.d.sign.pointee.contents.pointee.d.data
    precondition(ASN1_OCTET_STRING_set(data, content, Int32(content.count)) == 1)
    return written { i2d_PKCS7_bio($0, message) }
  }

  /// CMS of another kind: data encrypted with a key.
  package static func encrypted(_ content: [UInt8]) -> [UInt8] {
    content.withUnsafeBytes { bytes in
      let input = BIO_new_mem_buf(bytes.baseAddress, Int32(bytes.count))
      defer { BIO_free(input) }
      let key = [UInt8](repeating: 1, count: 32)
      let message = CMS_EncryptedData_encrypt(
        input, EVP_aes_256_cbc(), key, key.count, UInt32(CMS_BINARY))
      defer { CMS_ContentInfo_free(message) }
      return written { i2d_CMS_bio($0, message) }
    }
  }
}
