internal import COpenSSL

/// A certificate made for a test. Confined to the test that makes it.
package final class TestCertificate {
  package let key: TestKey
  let pointer: OpaquePointer

  /// - Parameters:
  ///   - names: host names, or IP addresses after `IP:`.
  ///   - issuer: nil for a self-signed certificate.
  ///   - days: the validity, counted from now.
  ///   - dates: the validity in seconds since 1970, instead of `days`. Such a certificate names its
  ///     key and its issuer's, as those of CAs do.
  ///   - usage: The purpose of a certificate that is not an authority's: `serverAuth`.
  ///   - authorityKey: The identifier of the issuer's key, four octets as `01020304`, as
  ///     `hasKeyIdentifier` gives it to the certificate's own key.
  ///   - issuerAddress: Where the certificate says that its issuer's is to be had.
  package init(
    _ subject: String, names: [String] = [], key: TestKey = TestKey(),
    issuer: TestCertificate? = nil, isAuthority: Bool = false, days: ClosedRange<Int> = -1...90,
    dates: Range<Int>? = nil, usage: String? = nil,
    sha1: Bool = false, hasKeyIdentifier: Bool = false, authorityKey: String? = nil,
    issuerAddress: String? = nil
  ) {
    self.key = key
    pointer = X509_new()
    X509_set_version(pointer, 2)
    ASN1_INTEGER_set(X509_get_serialNumber(pointer), Int.random(in: 1...Int(Int32.max)))
    X509_gmtime_adj(X509_getm_notBefore(pointer), days.lowerBound * 86_400)
    X509_gmtime_adj(X509_getm_notAfter(pointer), days.upperBound * 86_400)
    if let dates {
      ASN1_TIME_set(X509_getm_notBefore(pointer), dates.lowerBound)
      ASN1_TIME_set(X509_getm_notAfter(pointer), dates.upperBound)
    }
    let name = X509_get_subject_name(pointer)
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, subject, -1, -1, 0)
    X509_set_issuer_name(pointer, issuer.map { X509_get_subject_name($0.pointer) } ?? name)
    X509_set_pubkey(pointer, key.pointer)
    add(NID_basic_constraints, isAuthority ? "critical,CA:TRUE" : "CA:FALSE")
    if !names.isEmpty {
      let list = names.map { $0.hasPrefix("IP:") ? $0 : "DNS:" + $0 }
      add(NID_subject_alt_name, list.joined(separator: ","))
    }
    if let usage { add(NID_ext_key_usage, usage) }
    if let issuerAddress { add(NID_info_access, "caIssuers;URI:" + issuerAddress) }
    if dates != nil {
      if isAuthority { add(NID_key_usage, "critical,keyCertSign,cRLSign") }
      add(NID_subject_key_identifier, "hash")
      add(NID_authority_key_identifier, "keyid", issuer: issuer)
    }
    if hasKeyIdentifier { add(NID_subject_key_identifier, "01020304") }
    if let authorityKey { add(NID_authority_key_identifier, "DER:30068004" + authorityKey) }
    let signingKey = (issuer?.key ?? key).pointer
    let isEdwards = [EVP_PKEY_ED25519, EVP_PKEY_ED448].contains(EVP_PKEY_get_base_id(signingKey))
    let digest = isEdwards ? nil : sha1 ? EVP_sha1() : EVP_sha256()
    precondition(X509_sign(pointer, signingKey, digest) > 0)
  }

  deinit { X509_free(pointer) }

  /// One that was written as PEM; nil if it is not a certificate.
  package init?(pem: String, key: TestKey) {
    guard let pointer = read(Array(pem.utf8), { PEM_read_bio_X509($0, nil, nil, nil) }) else {
      return nil
    }
    self.key = key
    self.pointer = pointer
  }

  /// - Parameter issuer: itself when nil.
  private func add(_ kind: Int32, _ value: String, issuer: TestCertificate? = nil) {
    var context = X509V3_CTX()
    X509V3_set_ctx(&context, (issuer ?? self).pointer, pointer, nil, nil, 0)
    let addition = X509V3_EXT_conf_nid(nil, &context, kind, value)
    precondition(addition != nil && X509_add_ext(pointer, addition, -1) == 1)
    X509_EXTENSION_free(addition)
  }

  package var pem: [UInt8] { written { PEM_write_bio_X509($0, pointer) } }
}
