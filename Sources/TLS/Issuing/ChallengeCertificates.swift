internal import COpenSSL
internal import Synchronization

/// The certificates that prove to a CA that this server controls names (TLS-ALPN-01, RFC 8737). The
/// certificates exist only in memory, and only until they are removed.
package final class ChallengeCertificates: Sendable {
  private let certificates = Mutex<[String: Certificate]>([:])

  private let refused = Mutex<Set<String>>([])

  package init() {}

  /// Records that a client requested a name for which the server has no certificate.
  func noteRefused(_ name: [UInt8]) {
    refused.withLock { names in
      if names.count < TLSLimits.refusedNames {
        names.insert(String(decoding: name, as: UTF8.self))
      }
    }
  }

  /// Returns the names that clients have requested since the last call and for which the server has
  /// no certificate. Returns at most `TLSLimits.refusedNames` names.
  package func takeRefused() -> Set<String> {
    refused.withLock { names in
      defer { names = [] }
      return names
    }
  }

  /// Makes the certificate that answers a CA's challenge for a name. Only clients that offer
  /// `acme-tls/1` get this certificate. Returns the certificate's serial number in hexadecimal
  /// digits.
  ///
  /// - Parameter keyAuthorization: The text whose digest the CA expects (RFC 8555 section 8.1).
  package func show(_ name: String, _ keyAuthorization: String) throws(TLSError) -> String {
    let digest = Digest.sha256(Array(keyAuthorization.utf8).span)
    let certificate = try selfSigned(names: [name], challenge: digest)
    certificates.withLock { $0[name] = certificate }
    return certificate.serial ?? ""
  }

  package func remove(_ name: String) { certificates.withLock { $0[name] = nil } }

  func find(_ name: [UInt8]) -> Certificate? {
    certificates.withLock { $0[String(decoding: name, as: UTF8.self)] }
  }

  /// The only protocol of a challenge handshake (RFC 8737 section 3).
  package static let protocolName = "acme-tls/1"

  /// Returns whether an ALPN extension offers `acme-tls/1` and no other protocol.
  static func isOffered(in content: Span<UInt8>) -> Bool {
    let wanted: StaticString = "\u{0}\u{B}\u{A}acme-tls/1"
    return content.count == wanted.utf8CodeUnitCount
      && wanted.withUTF8Buffer { wanted in
        for index in wanted.indices where unsafe content[index] != wanted[index] { return false }
        return true
      }
  }
}

/// Returns the acmeIdentifier extension (RFC 8737 section 3), which the caller frees; nil if
/// OpenSSL fails.
func challengeExtension(_ digest: [UInt8]) -> OpaquePointer? {
  guard let kind = unsafe OBJ_txt2obj("1.3.6.1.5.5.7.1.31", 1),
    let value = unsafe ASN1_OCTET_STRING_new()
  else { return nil }
  defer {
    unsafe ASN1_OBJECT_free(kind)
    unsafe ASN1_OCTET_STRING_free(value)
  }
  // Every extension's value is an octet string; in this extension, that octet string contains
  // another octet string.
  let content = [0x04, UInt8(digest.count)] + digest
  guard unsafe ASN1_OCTET_STRING_set(value, content, Int32(content.count)) == 1 else { return nil }
  return unsafe X509_EXTENSION_create_by_OBJ(nil, kind, 1, value)
}
