internal import Bytes
internal import COpenSSL

/// Signed files: an association file within CMS signed data (RFC 5652), as iOS 8 requires.
package enum CMS {
  #if DEBUG
    /// Called for each signed file that is opened, so that tests can count the files.
    package static let observer = TaskLocal<(@Sendable () -> Void)?>(wrappedValue: nil)
  #endif

  /// Returns the content of signed data in DER or BER. Does not verify signatures.
  package static func content(of der: [UInt8]) throws(CMSError) -> [UInt8] {
    let message = try SignedMessage(der)
    return try message.content()
  }

  /// Returns the content of signed data that is not an association file, such as a provisioning
  /// profile. The data may have up to `limit` bytes.
  package static func content(of der: [UInt8], limit: Int) throws(CMSError) -> [UInt8] {
    let message = try SignedMessage(der, limit: limit)
    return try message.content(limit: limit)
  }
}

/// Parsed CMS signed data. OpenSSL changes the data during verification, so only one thread may use
/// it.
@safe struct SignedMessage: ~Copyable {
  /// A CMS_ContentInfo whose type is signed data.
  let pointer: OpaquePointer

  /// Parses DER or BER that consists of exactly one message.
  init(_ der: [UInt8], limit: Int = TLSLimits.signedFileBytes) throws(CMSError) {
    #if DEBUG
      CMS.observer.get()?()
    #endif
    let message = unsafe try Self.parse(der, limit)
    unsafe pointer = message
  }

  private static func parse(_ der: [UInt8], _ limit: Int) throws(CMSError) -> OpaquePointer {
    guard der.count <= limit else { throw .fileTooLarge(bytes: der.count) }
    ErrorQueue.clear()
    var rest = 0
    let parsed: OpaquePointer? = unsafe der.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      let parsed = unsafe d2i_CMS_ContentInfo(nil, &position, bytes.count)
      if let start = bytes.baseAddress, let position = unsafe position {
        rest = unsafe bytes.count - (position - start)
      }
      return unsafe parsed
    }
    guard let parsed = unsafe parsed else { throw .malformed(ErrorQueue.drain()) }
    // Refuse trailing bytes, although the openssl command ignores them. Trailing bytes are always a
    // mistake, such as a second file, or a line feed that an editor added.
    if rest == 0 {
      let type = unsafe CMS_get0_type(parsed)
      if unsafe OBJ_obj2nid(type) == NID_pkcs7_signed { return unsafe parsed }
      let kind = unsafe name(of: type)
      unsafe CMS_ContentInfo_free(parsed)
      throw .otherKind(kind)
    }
    unsafe CMS_ContentInfo_free(parsed)
    throw .malformed(rest.counting("byte follows", "bytes follow") + " the signed data")
  }

  deinit { unsafe CMS_ContentInfo_free(pointer) }

  /// Returns the content that the signed data contains. Throws if the content is too large or in
  /// another file.
  func content(limit: Int = TLSLimits.signedContentBytes) throws(CMSError) -> [UInt8] {
    ErrorQueue.clear()
    guard let place = unsafe CMS_get0_content(pointer) else {
      throw .malformed(ErrorQueue.drain())
    }
    guard let string = unsafe place.pointee else { throw .detached }
    let count = unsafe Int(ASN1_STRING_length(string))
    guard count <= limit else { throw .contentTooLarge(bytes: count) }
    return unsafe Array(UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: count))
  }

  /// The number of signatures, including signatures whose signer's certificate is missing.
  var signerCount: Int { unsafe max(0, Int(aasa_cms_signer_count(pointer))) }
}

/// Returns OpenSSL's name for an object identifier, or its dotted numbers if OpenSSL has no name.
private func name(of identifier: OpaquePointer?) -> String {
  var text = [CChar](repeating: 0, count: 128)
  let count = unsafe OBJ_obj2txt(&text, Int32(text.count), identifier, 0)
  guard count > 0 else { return "an unknown type" }
  return String(
    decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
