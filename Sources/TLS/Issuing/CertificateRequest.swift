internal import COpenSSL

/// Returns a certification request (RFC 2986) for host names, in DER. The names are in
/// subjectAltName only, because clients ignore the common name.
package func certificateRequest(
  names: [String], key: SigningKey
) throws(TLSError) -> [UInt8] {
  ErrorQueue.clear()
  guard let request = unsafe X509_REQ_new() else { throw ErrorQueue.error("X509_REQ_new") }
  defer { unsafe X509_REQ_free(request) }
  guard let list = unsafe generalNames(names) else { throw ErrorQueue.error("GENERAL_NAME_new") }
  defer { unsafe GENERAL_NAMES_free(list) }
  let pointer = unsafe key.key.handle.pointer
  guard unsafe X509_REQ_set_version(request, 0) == 1,
    unsafe X509_REQ_set_pubkey(request, pointer) == 1,
    unsafe aasa_request_add_names(request, list) == 1,
    unsafe X509_REQ_sign(request, pointer, EVP_sha256()) > 0
  else { throw ErrorQueue.error("X509_REQ_sign") }
  guard let bytes = unsafe encoding({ unsafe i2d_X509_REQ(request, $0) }) else {
    throw ErrorQueue.error("i2d_X509_REQ")
  }
  return bytes
}
