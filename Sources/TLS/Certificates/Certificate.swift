internal import Synchronization

/// A certificate chain with its private key, read from files, to be served.
///
/// It keeps the encoded forms, some hundred bytes. What OpenSSL makes of them, some kilobytes, is
/// made for the first handshake that needs it and kept while it is in use: see
/// `UsableCertificates`. How it keeps it is known here only: sessions call `install`.
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
  /// As encoded: a tenth of what OpenSSL makes of it.
  private let leaf: [UInt8]
  /// What is sent after the leaf. Equal ones are shared among certificates.
  private let intermediates: [[UInt8]]
  private let key: SealedBytes
  /// Never given twice in a process.
  private let number: UInt64

  /// - Parameters:
  ///   - intermediates: in the order in which they are sent.
  ///   - key: encoded.
  init(
    leaf: [UInt8], intermediates: [[UInt8]], key: SealedBytes, facts: Facts, path: String
  ) {
    names = facts.names
    (notBefore, notAfter) = (facts.notBefore, facts.notAfter)
    kind = facts.kind
    isSelfSigned = facts.isSelfSigned
    self.path = path
    self.leaf = leaf
    self.intermediates = intermediates
    self.key = key
    number = Self.numbers.add(1, ordering: .relaxed).oldValue
  }

  deinit { UsableCertificates.shared.remove(number) }

  /// What is read out of a leaf and its key.
  struct Facts {
    let names: CertificateNames
    let notBefore: Int64
    let notAfter: Int64
    let kind: Kind
    let isSelfSigned: Bool
  }

  private static let numbers = Atomic<UInt64>(0)

  /// Whether `now`, seconds since 1970, lies in the validity period, both ends included (RFC 5280
  /// section 4.1.2.5).
  package func isValid(at now: Int64) -> Bool { notBefore <= now && now <= notAfter }

  /// Whether both serve the same chain with the same key.
  package func isSame(as other: Certificate) -> Bool {
    self === other
      || leaf == other.leaf && intermediates == other.intermediates && key.isSame(as: other.key)
  }

  /// Lets the session use chain and key. False, with OpenSSL's queue filled, when it refuses them.
  func install(on ssl: OpaquePointer) -> Bool {
    let certificates = UsableCertificates.shared
    if let usable = certificates.find(number) { return unsafe usable.install(on: ssl) }
    // Outside of the lock: two threads that do it at the same time do no harm.
    guard let usable = decoded else { return false }
    certificates.keep(usable, as: number)
    return unsafe usable.install(on: ssl)
  }

  private var decoded: UsableCertificate? {
    guard let leaf = X509(der: leaf), let key = key.withBytes({ PrivateKey(der: $0) }) else {
      return nil
    }
    let chain = intermediates.compactMap { X509(der: $0) }
    guard chain.count == intermediates.count else { return nil }
    return UsableCertificate(leaf: leaf, intermediates: chain, key: key)
  }
}
