internal import COpenSSL
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

  /// Seconds since 1970.
  package let notBefore: Int64
  /// Seconds since 1970.
  package let notAfter: Int64
  package let kind: Kind
  package let isSelfSigned: Bool
  /// One after the other: leaf and key as encoded, a tenth of what OpenSSL makes of them; names; path.
  /// In one block, for of all that very many certificates take, what memory costs besides its
  /// contents would be half.
  private let memory: SealedMemory
  private let parts: Parts
  /// Where in the leaf the point of an elliptic key stands, of which only the number is kept.
  private let point: Point?
  /// What is sent after the leaf. Equal ones are shared among certificates.
  private let intermediates: [[UInt8]]
  /// Never given twice in a process.
  private let number: UInt64

  /// Where what is in the memory ends.
  private struct Parts {
    let leaf: UInt32
    let key: UInt32
    let hosts: UInt32
    let addresses: UInt32
  }

  private struct Point {
    let start: UInt32
    let length: UInt8
    let curve: Curve
  }

  /// Nil when there is no memory.
  ///
  /// - Parameters:
  ///   - intermediates: in the order in which they are sent.
  ///   - key: encoded.
  ///   - path: where it was read from, for messages; a description when it was made in memory.
  init?(
    leaf: [UInt8], intermediates: [[UInt8]], key: Span<UInt8>, facts: Facts, path: String
  ) {
    let names = PackedNames.bytes(of: facts.names)
    let path = Array(path.utf8)
    let (kept, point) = Self.keptOfKey(key, leaf, facts.publicKey)
    let (keyEnd, count) = (leaf.count + kept.count, names.bytes.count + path.count)
    guard var memory = SealedMemory(capacity: keyEnd + count) else { return nil }
    memory.append(leaf.span)
    memory.append(key.extracting(kept))
    memory.append(names.bytes.span)
    memory.append(path.span)
    self.memory = memory
    self.point = point
    parts = Parts(
      leaf: UInt32(leaf.count), key: UInt32(keyEnd), hosts: UInt32(keyEnd + names.hostsEnd),
      addresses: UInt32(keyEnd + names.bytes.count))
    (notBefore, notAfter) = (facts.notBefore, facts.notAfter)
    kind = facts.kind
    isSelfSigned = facts.isSelfSigned
    self.intermediates = intermediates
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
    /// Where it stands in the leaf; nil when it was not looked for.
    let publicKey: PublicKeyOutline?
  }

  /// The number of an elliptic key whose point is the leaf's, or all of another key.
  private static func keptOfKey(
    _ key: Span<UInt8>, _ leaf: [UInt8], _ publicKey: PublicKeyOutline?
  ) -> (Range<Int>, Point?) {
    let leaf = leaf.span
    guard case .elliptic(let curve, let number, let point) = try? KeyOutline(key),
      case .elliptic(curve, let place) = publicKey, let length = UInt8(exactly: place.count),
      equal(key.extracting(point), leaf.extracting(place))
    else { return (0..<key.count, nil) }
    return (number, Point(start: UInt32(place.lowerBound), length: length, curve: curve))
  }

  private static let numbers = Atomic<UInt64>(0)

  /// Where it was read from, for messages; a description when it was made in memory.
  package var path: String {
    defer { withExtendedLifetime(self) {} }
    return unsafe String(decoding: memory.buffer[Int(parts.addresses)...], as: UTF8.self)
  }

  /// Whether `now`, seconds since 1970, lies in the validity period, both ends included (RFC 5280
  /// section 4.1.2.5).
  package func isValid(at now: Int64) -> Bool { notBefore <= now && now <= notAfter }

  /// Whether both serve the same chain with the same key.
  package func isSame(as other: Certificate) -> Bool {
    if self === other { return true }
    guard parts.leaf == other.parts.leaf, parts.key == other.parts.key,
      intermediates == other.intermediates
    else { return false }
    defer { withExtendedLifetime((self, other)) {} }
    return unsafe CRYPTO_memcmp(
      memory.buffer.baseAddress, other.memory.buffer.baseAddress, Int(parts.key)) == 0
  }

  // MARK: Names

  package var names: CertificateNames {
    defer { withExtendedLifetime(self) {} }
    let bytes = unsafe memory.buffer.span
    return PackedNames(hosts: hostRange, addresses: addressRange).names(bytes)
  }

  /// Whether `host` (lower case, no port, no trailing dot) is one of the names.
  func covers(host: Span<UInt8>) -> Bool {
    defer { withExtendedLifetime(self) {} }
    let bytes = unsafe memory.buffer.span
    return PackedNames(hosts: hostRange, addresses: addressRange).cover(host, bytes)
  }

  func hasSameNames(as other: Certificate) -> Bool {
    defer { withExtendedLifetime((self, other)) {} }
    let (mine, others) = unsafe (memory.buffer.span, other.memory.buffer.span)
    return hostRange.count == other.hostRange.count
      && equal(
        mine.extracting(hostRange.lowerBound..<addressRange.upperBound),
        others.extracting(other.hostRange.lowerBound..<other.addressRange.upperBound))
  }

  /// Calls `body` for each host name with all bytes and the name's place among them.
  func forEachHost(_ body: (Span<UInt8>, Range<Int>) -> Void) {
    defer { withExtendedLifetime(self) {} }
    let bytes = unsafe memory.buffer.span
    var places = PackedNames.Places(hostRange)
    while let place = places.next(bytes) { body(bytes, place) }
  }

  /// The bytes among which host names have places.
  func withBytes(_ body: (Span<UInt8>) -> Void) {
    defer { withExtendedLifetime(self) {} }
    unsafe body(memory.buffer.span)
  }

  /// Whether what stands at `place`, as `forEachHost` told it, is `text`.
  func has(_ text: Span<UInt8>, at place: Range<Int>) -> Bool {
    defer { withExtendedLifetime(self) {} }
    let bytes = unsafe memory.buffer.span
    return equal(bytes.extracting(place), text)
  }

  private var hostRange: Range<Int> { Int(parts.key)..<Int(parts.hosts) }
  private var addressRange: Range<Int> { Int(parts.hosts)..<Int(parts.addresses) }

  // MARK: Use

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
    defer { withExtendedLifetime(self) {} }
    let bytes = unsafe memory.buffer.span
    let number = Int(parts.leaf)..<Int(parts.key)
    let key: PrivateKey?
    if let point {
      let place = Int(point.start)..<(Int(point.start) + Int(point.length))
      key = PrivateKey(.elliptic(point.curve, number: number, point: place), bytes)
    } else {
      key = PrivateKey(der: bytes.extracting(number))
    }
    guard let key, let leaf = X509(der: bytes.extracting(0..<number.lowerBound)) else { return nil }
    let chain = intermediates.compactMap { X509(der: $0.span) }
    guard chain.count == intermediates.count else { return nil }
    return UsableCertificate(leaf: leaf, intermediates: chain, key: key)
  }
}
