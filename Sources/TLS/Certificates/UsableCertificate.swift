internal import COpenSSL

/// A certificate chain with its private key in the form that OpenSSL uses.
final class UsableCertificate: Sendable {
  let leaf: X509
  /// The certificates in the order in which they are sent.
  let intermediates: [X509]
  private let chain: X509Stack
  let key: PrivateKey

  /// Returns nil if out of memory.
  init?(leaf: X509, intermediates: [X509], key: PrivateKey) {
    guard let chain = X509Stack(intermediates) else { return nil }
    self.leaf = leaf
    self.intermediates = intermediates
    self.chain = chain
    self.key = key
  }

  /// Makes the TLS session use the chain and key. Returns false if OpenSSL refuses them; OpenSSL's
  /// error queue then contains the reasons.
  ///
  /// OpenSSL retains the objects for the session, so this object may be released.
  func install(on ssl: OpaquePointer) -> Bool {
    unsafe SSL_use_cert_and_key(
      ssl, leaf.handle.pointer, key.handle.pointer, chain.handle.pointer, 1) == 1
  }

  /// Returns why OpenSSL would refuse the certificate in every handshake, for example because of a
  /// weak signature; nil if OpenSSL would accept it.
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
