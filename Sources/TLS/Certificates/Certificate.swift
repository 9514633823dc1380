internal import COpenSSL

/// A certificate chain with its private key, checked when it was loaded, ready to be served.
///
/// It keeps what OpenSSL parsed, a few kilobytes. How it keeps it is known here only: sessions
/// call `install`.
package final class Certificate: Sendable {
  /// The kind of the key, which decides the clients that can use the certificate. Of several kinds
  /// for one name, OpenSSL takes what the client can.
  package enum Kind: String, Sendable, CaseIterable {
    case ecdsa = "ECDSA"
    case rsa = "RSA"
    case ed25519 = "Ed25519"
  }

  package let names: CertificateNames
  /// Seconds since 1970.
  package let notBefore: Int64
  /// Seconds since 1970.
  package let notAfter: Int64
  package let kind: Kind
  /// Where it was read from, for messages; a description when it was made in memory.
  package let path: String
  package let isSelfSigned: Bool
  private let leaf: X509
  /// What is sent after the leaf.
  private let chain: X509Stack
  private let key: PrivateKey

  /// - Parameter intermediates: in the order in which they are sent.
  init?(leaf: X509, intermediates: [X509], key: PrivateKey, kind: Kind, path: String) {
    guard let chain = X509Stack(intermediates), let validity = leaf.validity else { return nil }
    names = leaf.names
    (notBefore, notAfter) = (validity.notBefore, validity.notAfter)
    isSelfSigned = leaf.isSelfSigned
    self.kind = kind
    self.path = path
    self.leaf = leaf
    self.chain = chain
    self.key = key
  }

  /// Whether `now`, seconds since 1970, lies in the validity period, both ends included (RFC 5280
  /// section 4.1.2.5).
  package func isValid(at now: Int64) -> Bool { notBefore <= now && now <= notAfter }

  /// Lets the session use chain and key. False, with OpenSSL's queue filled, when it refuses them.
  ///
  /// The session takes references of its own.
  func install(on ssl: OpaquePointer) -> Bool {
    unsafe SSL_use_cert_and_key(
      ssl, leaf.handle.pointer, key.handle.pointer, chain.handle.pointer, 1) == 1
  }

  /// The reason why OpenSSL would refuse the certificate in every handshake, such as a signature
  /// it takes for too weak; nil when it would not.
  func refusal() -> String? {
    guard case .success(let context) = Self.trialContext,
      let ssl = unsafe SSL_new(context.handle.pointer)
    else { return nil }
    defer { unsafe SSL_free(ssl) }
    ErrorQueue.clear()
    return unsafe install(on: ssl) ? nil : ErrorQueue.drain()
  }

  private static let trialContext = Result<ServerContext, TLSError> { () throws(TLSError) in
    try ServerContext()
  }
}
