internal import COpenSSL
package import Diagnostics
internal import Synchronization

/// One parsed certificate (RFC 5280).
final class X509: Sendable {
  let handle: Handle

  /// Takes ownership of the OpenSSL object.
  init(owning pointer: OpaquePointer) { handle = unsafe Handle(pointer) }

  /// Parses a certificate; nil if `der` is not exactly one certificate.
  convenience init?(der: [UInt8]) {
    ErrorQueue.clear()
    let parsed: OpaquePointer? = unsafe der.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      guard let pointer = unsafe d2i_X509(nil, &position, bytes.count) else { return nil }
      // Refuse bytes after the certificate: the program that wrote them made a mistake.
      if unsafe position != bytes.baseAddress.map({ unsafe $0 + bytes.count }) {
        unsafe X509_free(pointer)
        return nil
      }
      return unsafe pointer
    }
    guard let parsed = unsafe parsed else { return nil }
    unsafe self.init(owning: parsed)
  }

  private static let known = Mutex<[[UInt8]: X509]>([:])

  /// Returns a certificate that many chains have in common, such as an intermediate; nil if `der`
  /// is not exactly one certificate. Decodes each certificate only once, because OpenSSL is slow.
  static func shared(der: [UInt8]) -> X509? {
    if let found = known.withLock({ $0[der] }) { return found }
    guard let decoded = X509(der: der) else { return nil }
    known.withLock { known in
      // Empty the full store. Most of the stored certificates are probably no longer used.
      if known.count >= TLSLimits.sharedIntermediates { known.removeAll() }
      known[der] = decoded
    }
    return decoded
  }

  /// Retains a certificate that another object owns; nil if there is no certificate.
  convenience init?(sharing pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer, unsafe X509_up_ref(pointer) == 1 else { return nil }
    unsafe self.init(owning: pointer)
  }

  /// Returns the certificates of a STACK_OF(X509) that another object owns.
  static func list(sharing stack: OpaquePointer?) -> [X509] {
    (0..<max(0, unsafe aasa_x509_stack_count(stack))).compactMap { index in
      unsafe X509(sharing: aasa_x509_stack_get(stack, index))
    }
  }

  deinit { unsafe X509_free(handle.pointer) }

  /// The encoding of the certificate in DER.
  var der: [UInt8] { unsafe encoding { unsafe i2d_X509(handle.pointer, $0) } ?? [] }

  /// The validity period, in seconds since 1970; nil if the times cannot be read.
  var validity: (notBefore: Int64, notAfter: Int64)? {
    var notBefore: Int64 = 0
    var notAfter: Int64 = 0
    guard unsafe aasa_time_seconds(X509_get0_notBefore(handle.pointer), &notBefore) == 1,
      unsafe aasa_time_seconds(X509_get0_notAfter(handle.pointer), &notAfter) == 1
    else { return nil }
    return (notBefore, notAfter)
  }

  /// The end of the validity period, in seconds since 1970; the distant past if OpenSSL cannot read
  /// it.
  var notAfter: Int64 { validity?.notAfter ?? .min }

  var names: CertificateNames {
    let (hosts, addresses) = writtenNames
    return CertificateNames(hosts: hosts, addresses: addresses)
  }

  /// The host names in the certificate that no client accepts, such as `shop.*.com`.
  var namesNobodyAccepts: [String] {
    writtenNames.hosts.filter { CertificateNames.hostName($0) == nil }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// The host names and addresses in subjectAltName, exactly as the certificate contains them.
  private var writtenNames: (hosts: [[UInt8]], addresses: [[UInt8]]) {
    var hosts: [[UInt8]] = []
    var addresses: [[UInt8]] = []
    if let value = unsafe X509_get_ext_d2i(handle.pointer, NID_subject_alt_name, nil, nil) {
      let list = OpaquePointer(value)
      defer { unsafe GENERAL_NAMES_free(list) }
      for index in 0..<max(0, unsafe aasa_general_names_count(list)) {
        var type: Int32 = 0
        var count = 0
        let start = unsafe aasa_general_name_bytes(
          aasa_general_names_get(list, index), &type, &count)
        guard let start = unsafe start else { continue }
        let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
        if type == GEN_DNS { hosts.append(bytes) } else { addresses.append(bytes) }
      }
    }
    return (hosts, addresses)
  }

  /// Whether the certificate says where to get its issuer's certificate, as certificates of public
  /// authorities do (RFC 5280 section 4.2.2.1). A certificate without this information may have
  /// been issued by a private root.
  var isOfPublicAuthority: Bool {
    unsafe X509_get_ext_by_NID(handle.pointer, NID_info_access, -1) >= 0
  }

  /// Whether the certificate is its own issuer. Compares names and key identifiers, but does not
  /// verify the signature.
  var isSelfSigned: Bool { unsafe X509_self_signed(handle.pointer, 0) == 1 }

  /// Returns whether `issuer` could have issued this certificate. Compares names and key
  /// identifiers, but does not verify the signature.
  func canBeIssued(by issuer: X509) -> Bool {
    unsafe X509_check_issued(issuer.handle.pointer, handle.pointer) == X509_V_OK
  }

  /// The facts that decide which certificate OpenSSL accepts as the issuer (X509_check_issued(3)):
  /// the issuer's name, the issuer's key identifier and the signature algorithm. Nil if OpenSSL
  /// would use another fact of this certificate too.
  var issuerSearch: [UInt8]? {
    guard unsafe X509_get0_authority_serial(handle.pointer) == nil,
      let outline = try? CertificateOutline(der)
    else { return nil }
    var search = Array(outline.der[outline.issuer])
    search.append(0)
    if let identifier = unsafe X509_get0_authority_key_id(handle.pointer) {
      let count = unsafe Int(ASN1_STRING_length(identifier))
      unsafe search += UnsafeBufferPointer(start: ASN1_STRING_get0_data(identifier), count: count)
    }
    search += Array("\(unsafe X509_get_signature_nid(handle.pointer))".utf8)
    return search
  }

  /// Returns whether this certificate and `other` are the same.
  func equals(_ other: X509) -> Bool {
    unsafe X509_cmp(handle.pointer, other.handle.pointer) == 0
  }

  /// Returns whether the certificate's public key belongs to the private key `key`.
  func matches(_ key: PrivateKey) -> Bool {
    ErrorQueue.clear()
    return unsafe X509_check_private_key(handle.pointer, key.handle.pointer) == 1
  }

  /// The subject's common name, or the whole subject if it has no common name.
  var subject: String { unsafe text(of: X509_get_subject_name(handle.pointer)) }
  /// The issuer's common name, or the whole issuer name if it has no common name.
  var issuer: String { unsafe text(of: X509_get_issuer_name(handle.pointer)) }

  private func text(of name: OpaquePointer?) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    let count = unsafe X509_NAME_get_text_by_NID(
      name, NID_commonName, &buffer, Int32(buffer.count))
    if count > 0 {
      return String(
        decoding: buffer.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard let line = unsafe X509_NAME_oneline(name, nil, 0) else { return "" }
    defer { unsafe aasa_free(line) }
    return unsafe String(cString: line)
  }
}

/// An immutable STACK_OF(X509) that retains its certificates.
final class X509Stack: Sendable {
  let handle: Handle

  /// Takes ownership of the stack and of its references to certificates.
  init(owning stack: OpaquePointer) { handle = unsafe Handle(stack) }

  /// Returns nil if out of memory.
  init?(_ certificates: [X509]) {
    guard let stack = unsafe aasa_x509_stack_new() else { return nil }
    handle = unsafe Handle(stack)
    for certificate in certificates {
      let pointer = unsafe certificate.handle.pointer
      guard unsafe X509_up_ref(pointer) == 1 else { return nil }
      guard unsafe aasa_x509_stack_push(stack, pointer) == 1 else {
        unsafe X509_free(pointer)
        return nil
      }
    }
  }

  deinit { unsafe aasa_x509_stack_free(handle.pointer) }

  var count: Int { unsafe max(0, Int(aasa_x509_stack_count(handle.pointer))) }
}

/// Returns the SHA-256 digest of a certificate in DER, or of the first certificate of a PEM file;
/// nil if the source has no certificate.
package func certificateDigest(in source: SourceText) -> [UInt8]? {
  let certificate = X509(der: source.bytes) ?? (try? certificates(in: source))?.first
  return certificate.map { Digest.sha256($0.der.span) }
}

/// Returns the DER encoding that one of OpenSSL's `i2d` functions writes; nil if the function
/// fails.
///
/// - Parameter write: Writes the encoding to the given address, and advances the address. Without
///   an address, only returns the number of bytes.
func encoding(
  _ write: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
) -> [UInt8]? {
  let count = write(nil)
  guard count > 0 else { return nil }
  var bytes = [UInt8](repeating: 0, count: Int(count))
  let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
    var position = buffer.baseAddress
    return unsafe write(&position)
  }
  return written == count ? bytes : nil
}
