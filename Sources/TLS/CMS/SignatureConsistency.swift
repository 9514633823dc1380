internal import COpenSSL

// Checks of RFC 5652 that OpenSSL omits: unsigned fields must agree with the signed fields. Without
// these checks, a change of some bytes would go unnoticed.

extension SignedMessage {
  /// Returns a contradiction between the signatures and the signed fields; nil if there is none.
  /// Call this method after OpenSSL has verified the signatures, because each signature then has
  /// its signer's certificate.
  func contradiction() -> String? {
    for index in 0..<signerCount {
      guard let signer = unsafe aasa_cms_signer_get(pointer, Int32(index)) else { continue }
      if unsafe !hasSignedContentType(signer) {
        return "the content's type differs from the signed content type"
      }
      if unsafe !hasFittingAlgorithms(signer) {
        return "the signature algorithm does not fit the signer's key and digest"
      }
    }
    return nil
  }

  /// Returns whether the signed attributes include the content type (RFC 5652 section 11.1). If
  /// there are no signed attributes, returns whether the content type is data (section 5.3).
  private func hasSignedContentType(_ signer: OpaquePointer) -> Bool {
    let type = unsafe CMS_get0_eContentType(pointer)
    // The count is -1 if there are no signed attributes.
    guard unsafe CMS_signed_get_attr_count(signer) > 0 else {
      return unsafe OBJ_obj2nid(type) == NID_pkcs7_data
    }
    // With the argument -3 for `lastpos`, the function returns nil unless the attribute occurs
    // exactly once.
    let attribute = unsafe CMS_signed_get0_data_by_OBJ(
      signer, OBJ_nid2obj(NID_pkcs9_contentType), -3, V_ASN1_OBJECT)
    guard let type = unsafe type, let attribute = unsafe attribute else { return false }
    return unsafe OBJ_cmp(type, OpaquePointer(attribute)) == 0
  }

  /// Returns whether the signature algorithm fits the signer's key type and digest (RFC 3370
  /// section 3, RFC 5754 section 3). Accepts the key's algorithm as the signature algorithm too,
  /// because some signing programs write only the key's algorithm.
  private func hasFittingAlgorithms(_ signer: OpaquePointer) -> Bool {
    var key: OpaquePointer? = nil
    var digest: UnsafeMutablePointer<X509_ALGOR>? = nil
    var signature: UnsafeMutablePointer<X509_ALGOR>? = nil
    unsafe CMS_SignerInfo_get0_algs(signer, &key, nil, &digest, &signature)
    let (digestName, digestIsPlain) = unsafe identifier(digest)
    let (signatureName, signatureIsPlain) = unsafe identifier(signature)
    let keyName = unsafe EVP_PKEY_get_base_id(key)
    guard digestIsPlain else { return false }
    if signatureName == keyName { return signatureIsPlain }
    var signedDigest: Int32 = 0
    var signedKey: Int32 = 0
    guard unsafe OBJ_find_sigid_algs(signatureName, &signedDigest, &signedKey) == 1 else {
      return false
    }
    // For RSASSA-PSS the parameters specify the digest, and OpenSSL checks the parameters.
    if signatureName == NID_rsassaPss {
      return keyName == EVP_PKEY_RSA || keyName == EVP_PKEY_RSA_PSS
    }
    return signedKey == keyName && signatureIsPlain
      && (signedDigest == digestName || signedDigest == NID_undef)
  }

  /// Returns OpenSSL's number (NID) of an algorithm, and whether the algorithm's parameters are
  /// absent or NULL.
  private func identifier(_ algorithm: UnsafePointer<X509_ALGOR>?) -> (name: Int32, Bool) {
    var object: OpaquePointer? = nil
    var type: Int32 = 0
    unsafe X509_ALGOR_get0(&object, &type, nil, algorithm)
    return (unsafe OBJ_obj2nid(object), type == V_ASN1_UNDEF || type == V_ASN1_NULL)
  }
}
