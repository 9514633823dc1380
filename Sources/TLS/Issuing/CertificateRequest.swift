internal import COpenSSL

/// A certification request (RFC 2986) for host names: the names stand in subjectAltName alone, for
/// nobody compares a common name. Returns its DER encoding.
package func certificateRequest(
  names: [String], key: SigningKey
) throws(TLSError) -> [UInt8] {
  ErrorQueue.clear()
  guard let request = unsafe X509_REQ_new(), let list = unsafe aasa_general_names_new() else {
    throw ErrorQueue.error("X509_REQ_new")
  }
  defer {
    unsafe X509_REQ_free(request)
    unsafe GENERAL_NAMES_free(list)
  }
  for name in names {
    let address = ipAddress(name.utf8.span)
    let bytes = address ?? Array(name.utf8)
    guard
      let entry = unsafe aasa_general_name_new(
        address == nil ? GEN_DNS : GEN_IPADD, bytes, bytes.count)
    else { throw ErrorQueue.error("GENERAL_NAME_new") }
    guard unsafe aasa_general_names_push(list, entry) == 1 else {
      unsafe GENERAL_NAME_free(entry)
      throw ErrorQueue.error("sk_GENERAL_NAME_push")
    }
  }
  let pointer = unsafe key.key.handle.pointer
  guard unsafe X509_REQ_set_version(request, 0) == 1,
    unsafe X509_REQ_set_pubkey(request, pointer) == 1,
    unsafe aasa_request_add_names(request, list) == 1,
    unsafe X509_REQ_sign(request, pointer, EVP_sha256()) > 0
  else { throw ErrorQueue.error("X509_REQ_sign") }
  let count = unsafe i2d_X509_REQ(request, nil)
  guard count > 0 else { throw ErrorQueue.error("i2d_X509_REQ") }
  var bytes = [UInt8](repeating: 0, count: Int(count))
  unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    var position = buffer.baseAddress
    _ = unsafe i2d_X509_REQ(request, &position)
  }
  return bytes
}
