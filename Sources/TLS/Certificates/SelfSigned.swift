internal import COpenSSL

/// Makes a certificate in memory for `names` (host names, wildcards, IP addresses), with a new
/// ECDSA P-256 key, valid for 397 days.
///
/// Devices refuse the certificate, because no CA issued it. The certificate contains at most 100
/// names, but the server uses the certificate for every host.
package func selfSigned(names: [String]) throws(TLSError) -> Certificate {
  try selfSigned(names: names, challenge: nil)
}

/// - Parameter challenge: The digest that a CA expects in the certificate; nil if the certificate
///   is not for a CA's challenge.
func selfSigned(names: [String], challenge: [UInt8]?) throws(TLSError) -> Certificate {
  ErrorQueue.clear()
  guard let key = unsafe aasa_generate_ec_key("P-256") else {
    throw ErrorQueue.error("EVP_EC_gen")
  }
  let privateKey = unsafe PrivateKey(owning: key)
  guard let pointer = unsafe X509_new() else { throw ErrorQueue.error("X509_new") }
  let leaf = unsafe X509(owning: pointer)
  let listed = Array(names.prefix(TLSLimits.selfSignedNames))
  guard unsafe describe(pointer, commonName: listed.first ?? "localhost", key: key),
    unsafe addExtensions(pointer, names: listed),
    unsafe add(challenge, to: pointer),
    unsafe X509_sign(pointer, key, EVP_sha256()) > 0
  else { throw ErrorQueue.error("X509_sign") }
  guard let validity = leaf.validity, let sealed = privateKey.sealed else {
    throw ErrorQueue.error("i2d_PrivateKey")
  }
  return Certificate(
    path: "made in memory", names: leaf.names, validity: validity, kind: .ecdsa, leaf: leaf.der,
    intermediates: [], hasRoot: false, key: sealed)
}

private func describe(_ certificate: OpaquePointer, commonName: String, key: OpaquePointer) -> Bool
{
  // A common name may have at most 64 characters (RFC 5280 appendix A.1). Clients ignore the common
  // name, so it may be cut.
  let name = String(commonName.prefix(64))
  let subject = unsafe X509_get_subject_name(certificate)
  return unsafe X509_set_version(certificate, 2) == 1  // that is, version 3
    && setSerial(certificate)
    && X509_gmtime_adj(X509_getm_notBefore(certificate), -60 * 60) != nil
    && X509_gmtime_adj(
      X509_getm_notAfter(certificate), TLSLimits.selfSignedDays * 86_400 - 60 * 60) != nil
    && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, name, -1, -1, 0) == 1
    && X509_set_issuer_name(certificate, subject) == 1
    && X509_set_pubkey(certificate, key) == 1
}

/// Sets a random, positive serial number of at most 20 octets (RFC 5280 section 4.1.2.2).
private func setSerial(_ certificate: OpaquePointer) -> Bool {
  guard let number = unsafe BN_new() else { return false }
  defer { unsafe BN_free(number) }
  return unsafe BN_rand(number, 159, BN_RAND_TOP_ANY, BN_RAND_BOTTOM_ANY) == 1
    && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil
}

private func add(_ challenge: [UInt8]?, to certificate: OpaquePointer) -> Bool {
  guard let challenge else { return true }
  guard let addition = unsafe challengeExtension(challenge) else { return false }
  defer { unsafe X509_EXTENSION_free(addition) }
  return unsafe X509_add_ext(certificate, addition, -1) == 1
}

private func addExtensions(_ certificate: OpaquePointer, names: [String]) -> Bool {
  let texts = [
    (NID_basic_constraints, "critical,CA:FALSE"),
    (NID_key_usage, "critical,digitalSignature"),
    (NID_ext_key_usage, "serverAuth"),
  ]
  for (kind, value) in texts {
    guard let addition = unsafe X509V3_EXT_conf_nid(nil, nil, kind, value) else { return false }
    defer { unsafe X509_EXTENSION_free(addition) }
    guard unsafe X509_add_ext(certificate, addition, -1) == 1 else { return false }
  }
  guard let list = unsafe generalNames(names) else { return false }
  defer { unsafe GENERAL_NAMES_free(list) }
  return unsafe X509_add1_ext_i2d(
    certificate, NID_subject_alt_name, UnsafeMutableRawPointer(list), 0, 0) == 1
}

/// Returns the names as OpenSSL's GENERAL_NAMES, which the caller frees; nil if out of memory.
/// OpenSSL could parse the names from one text, but then a comma in a name would begin another
/// name.
func generalNames(_ names: [String]) -> OpaquePointer? {
  guard let list = unsafe aasa_general_names_new() else { return nil }
  for name in names {
    let address = ipAddress(name.utf8.span)
    let bytes = address ?? Array(name.utf8)
    let type = address == nil ? GEN_DNS : GEN_IPADD
    let made = unsafe aasa_general_name_new(type, bytes, bytes.count)
    guard let entry = unsafe made, unsafe aasa_general_names_push(list, entry) == 1 else {
      unsafe GENERAL_NAME_free(made)
      unsafe GENERAL_NAMES_free(list)
      return nil
    }
  }
  return unsafe list
}
