internal import COpenSSL
internal import Posix

/// A parsed private key. OpenSSL overwrites the key when the last reference is released.
final class PrivateKey: Sendable {
  let handle: Handle

  /// Takes ownership of the OpenSSL object.
  init(owning pointer: OpaquePointer) { handle = unsafe Handle(pointer) }

  /// Parses an unencrypted key in PKCS #8, PKCS #1 or SEC 1 form; nil if `der` has none of these
  /// forms.
  convenience init?(der: Span<UInt8>) {
    ErrorQueue.clear()
    // OpenSSL's own decoder tries one form after another and takes twenty times as long (450 µs in
    // 3.0).
    var parsed: OpaquePointer? = nil
    if let outline = try? KeyOutline(der) { unsafe parsed = keyPair(outline, der) }
    if unsafe parsed == nil {
      ErrorQueue.clear()
      unsafe parsed = der.withUnsafeBufferPointer { bytes in
        var position = bytes.baseAddress
        return unsafe d2i_AutoPrivateKey(nil, &position, bytes.count)
      }
    }
    guard let parsed = unsafe parsed else { return nil }
    unsafe self.init(owning: parsed)
  }

  deinit { unsafe EVP_PKEY_free(handle.pointer) }

  /// The key in DER; nil if OpenSSL cannot encode it.
  var sealed: SealedBytes? {
    guard var bytes = unsafe encoding({ unsafe i2d_PrivateKey(handle.pointer, $0) }) else {
      return nil
    }
    defer { cleanse(&bytes) }
    return SealedBytes(copying: bytes)
  }

  /// Whether servers can use a key, and if not, why.
  enum Suitability: Equatable {
    case usable(Certificate.Kind)
    /// The number of bits of an RSA key that is too small.
    case tooWeak(bits: Int)
    /// The name of the key's unsupported algorithm or curve.
    case unsupported(String)
  }

  var suitability: Suitability {
    let key = unsafe handle.pointer
    switch unsafe EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA:
      let bits = unsafe Int(EVP_PKEY_get_bits(key))
      return bits < TLSLimits.rsaKeyBits ? .tooWeak(bits: bits) : .usable(.rsa)
    case EVP_PKEY_EC:
      // The three curves for signatures in TLS 1.3 (RFC 8446 section 4.2.3).
      return Curve(rawValue: curve) != nil
        ? .usable(.ecdsa) : .unsupported("ECDSA on the curve \(curve)")
    case EVP_PKEY_ED25519:
      return .usable(.ed25519)
    default:
      let name = unsafe EVP_PKEY_get0_type_name(key).map { unsafe String(cString: $0) }
      return .unsupported(name ?? "unknown")
    }
  }

  private var curve: String {
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(handle.pointer, &name, name.count, &count) == 1 else {
      return "with explicit parameters"
    }
    return String(decoding: name.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// Makes OpenSSL's key from the numbers whose byte ranges are in `outline`.
private func keyPair(_ outline: KeyOutline, _ bytes: Span<UInt8>) -> OpaquePointer? {
  switch outline {
  case .elliptic(let curve, let number, let point):
    var native = native([number], bytes)
    defer { cleanse(&native) }
    return unsafe bytes.extracting(point).withUnsafeBufferPointer { point in
      unsafe aasa_ec_key_of(
        curve.rawValue, &native, native.count, point.baseAddress, point.count)
    }
  case .rsa(let numbers):
    var native = native(numbers, bytes)
    defer { cleanse(&native) }
    return unsafe aasa_rsa_key_of(&native, numbers.map(\.count))
  }
}

/// Returns the bytes of all numbers, one number after another, each in the machine's byte order.
private func native(_ numbers: [Range<Int>], _ bytes: Span<UInt8>) -> [UInt8] {
  let isLittleEndian = 1.littleEndian == 1
  var native: [UInt8] = []
  // Allocate enough memory at once. If the array grew later, a copy of key material would stay in
  // freed memory.
  native.reserveCapacity(numbers.reduce(0) { $0 + $1.count })
  for number in numbers {
    let places = isLittleEndian ? Array(number.reversed()) : Array(number)
    for place in places { native.append(bytes[place]) }
  }
  return native
}
