/// A certificate chain with its private key, as served.
///
/// Chain and key are stored encoded, because OpenSSL's objects take several kilobytes. The first
/// handshake that needs these objects creates them. `UsableCertificates` then stores the objects of
/// recently used certificates.
package final class Certificate: Sendable {
  /// The kind of the key, which decides which clients can use the certificate. If a name has
  /// certificates of several kinds, OpenSSL chooses one that the client supports.
  package enum Kind: String, Sendable, CaseIterable {
    case ecdsa = "ECDSA"
    case rsa = "RSA"
    case ed25519 = "Ed25519"
  }

  /// The path of the certificate's file, for messages; a description if the certificate was made in
  /// memory.
  package let path: String
  package let names: CertificateNames
  /// The first second of the validity period, in seconds since 1970.
  package let notBefore: Int64
  /// The last second of the validity period, in seconds since 1970.
  package let notAfter: Int64
  package let kind: Kind
  let leaf: [UInt8]
  /// The certificates after the leaf, in the order of sending. Equal chains share memory.
  let intermediates: [[UInt8]]
  /// Whether the file also contains the root certificate. The root is not sent, because clients
  /// have the roots that they trust (RFC 8446 section 4.4.2).
  let hasRoot: Bool
  private let key: SealedBytes

  init(
    path: String, names: CertificateNames, validity: (notBefore: Int64, notAfter: Int64),
    kind: Kind, leaf: [UInt8], intermediates: [[UInt8]], hasRoot: Bool, key: SealedBytes
  ) {
    self.path = path
    self.names = names
    (notBefore, notAfter) = validity
    self.kind = kind
    self.leaf = leaf
    self.intermediates = intermediates
    self.hasRoot = hasRoot
    self.key = key
  }

  deinit { UsableCertificates.shared.remove(ObjectIdentifier(self)) }

  /// The number of certificates sent after the leaf.
  package var intermediateCount: Int { intermediates.count }

  /// Returns whether `now`, in seconds since 1970, is within the validity period, which includes
  /// both ends (RFC 5280 section 4.1.2.5).
  package func isValid(at now: Int64) -> Bool { notBefore <= now && now <= notAfter }

  /// Returns whether this certificate and `other` have the same chain and the same key.
  package func isSame(as other: Certificate) -> Bool {
    self === other
      || leaf == other.leaf && intermediates == other.intermediates && key.isSame(as: other.key)
  }

  /// Calls `body` with the encoding of the private key.
  func withKey(_ body: (Span<UInt8>) -> Void) { key.withBytes(body) }

  // MARK: Use in sessions

  /// Makes the TLS session use the chain and key. Returns false if OpenSSL refuses them; OpenSSL's
  /// error queue then contains the reasons.
  func install(on ssl: OpaquePointer) -> Bool {
    let certificates = UsableCertificates.shared
    let identifier = ObjectIdentifier(self)
    if let usable = certificates.find(identifier) { return unsafe usable.install(on: ssl) }
    // Decode without holding the lock. It does no harm if two threads decode the same certificate
    // at the same time.
    guard let usable = decoded() else { return false }
    certificates.keep(usable, for: identifier)
    return unsafe usable.install(on: ssl)
  }

  /// Returns the chain and key as OpenSSL's objects; nil if OpenSSL cannot read the certificates or
  /// the key.
  func decoded() -> UsableCertificate? {
    let key = key.withBytes { PrivateKey(der: $0) }
    let chain = intermediates.compactMap(X509.shared)
    guard let key, let leaf = X509(der: leaf), chain.count == intermediates.count else {
      return nil
    }
    return UsableCertificate(leaf: leaf, intermediates: chain, key: key)
  }
}
