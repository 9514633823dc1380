/// A certificate chain with its private key, to be served.
///
/// It keeps the encoded forms. What OpenSSL makes of them takes some kilobytes: it is made for the
/// first handshake that needs it, and kept while it is in use. See `UsableCertificates`.
package final class Certificate: Sendable {
  /// The kind of the key, which decides the clients that can use the certificate. Of several kinds
  /// for one name, OpenSSL takes what the client can.
  package enum Kind: String, Sendable, CaseIterable {
    case ecdsa = "ECDSA"
    case rsa = "RSA"
    case ed25519 = "Ed25519"
  }

  /// The file it was read from, for messages; a description when it was made in memory.
  package let path: String
  package let names: CertificateNames
  /// Seconds since 1970.
  package let notBefore: Int64
  /// Seconds since 1970.
  package let notAfter: Int64
  package let kind: Kind
  let leaf: [UInt8]
  /// Sent after the leaf, in this order. Certificates with equal ones share them.
  let intermediates: [[UInt8]]
  /// Whether a root followed in the file. It is not sent, because clients trust a root for having
  /// it already (RFC 8446 section 4.4.2); but nothing is missing from such a chain.
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

  /// How many certificates are sent after the leaf.
  package var intermediateCount: Int { intermediates.count }

  /// Whether `now`, seconds since 1970, lies in the validity period, both ends included (RFC 5280
  /// section 4.1.2.5).
  package func isValid(at now: Int64) -> Bool { notBefore <= now && now <= notAfter }

  /// Whether both serve the same chain with the same key.
  package func isSame(as other: Certificate) -> Bool {
    self === other
      || leaf == other.leaf && intermediates == other.intermediates && key.isSame(as: other.key)
  }

  // MARK: Use

  /// Lets the session use chain and key. False, with OpenSSL's queue filled, when it refuses them.
  func install(on ssl: OpaquePointer) -> Bool {
    let certificates = UsableCertificates.shared
    let identifier = ObjectIdentifier(self)
    if let usable = certificates.find(identifier) { return unsafe usable.install(on: ssl) }
    // Outside of the lock: two threads that do it at the same time do no harm.
    guard let usable = decoded() else { return false }
    certificates.keep(usable, for: identifier)
    return unsafe usable.install(on: ssl)
  }

  /// OpenSSL's form; nil when it cannot read the certificates or the key.
  func decoded() -> UsableCertificate? {
    let key = key.withBytes { PrivateKey(der: $0) }
    let chain = intermediates.compactMap { X509(der: $0) }
    guard let key, let leaf = X509(der: leaf), chain.count == intermediates.count else {
      return nil
    }
    return UsableCertificate(leaf: leaf, intermediates: chain, key: key)
  }
}
