internal import COpenSSL

/// A certificate chain with its private key in the form that OpenSSL uses.
final class UsableCertificate: Sendable {
  let leaf: X509
  /// In the order in which they are sent.
  let intermediates: [X509]
  private let chain: X509Stack
  let key: PrivateKey

  /// Nil if there is no memory.
  init?(leaf: X509, intermediates: [X509], key: PrivateKey) {
    guard let chain = X509Stack(intermediates) else { return nil }
    self.leaf = leaf
    self.intermediates = intermediates
    self.chain = chain
    self.key = key
  }

  /// Makes the session use chain and key. Returns false, with OpenSSL's queue filled, if it refuses
  /// them.
  ///
  /// The session takes its own references.
  func install(on ssl: OpaquePointer) -> Bool {
    unsafe SSL_use_cert_and_key(
      ssl, leaf.handle.pointer, key.handle.pointer, chain.handle.pointer, 1) == 1
  }

  /// The reason why OpenSSL would refuse the certificate in every handshake, such as a weak
  /// signature; nil if it would not.
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
