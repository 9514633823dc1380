internal import COpenSSL

/// A parsed private key. OpenSSL overwrites it when the last reference goes.
final class PrivateKey: Sendable {
  let handle: Handle

  /// Takes ownership.
  init(owning pointer: OpaquePointer) { handle = unsafe Handle(pointer) }

  /// A key in PKCS #8, PKCS #1 or SEC 1 form, never an encrypted one; nil when it is none.
  convenience init?(der: [UInt8]) {
    ErrorQueue.clear()
    let parsed: OpaquePointer? = unsafe der.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      return unsafe d2i_AutoPrivateKey(nil, &position, bytes.count)
    }
    guard let parsed = unsafe parsed else { return nil }
    unsafe self.init(owning: parsed)
  }

  deinit { unsafe EVP_PKEY_free(handle.pointer) }

  /// What the key is good for.
  enum Suitability: Equatable {
    case usable(Certificate.Kind)
    /// RSA with this many bits.
    case tooWeak(bits: Int)
    /// The name of the algorithm or curve.
    case unsupported(String)
  }

  var suitability: Suitability {
    let key = unsafe handle.pointer
    switch unsafe EVP_PKEY_get_base_id(key) {
    case EVP_PKEY_RSA:
      let bits = unsafe Int(EVP_PKEY_get_bits(key))
      return bits < Limits.rsaKeyBits ? .tooWeak(bits: bits) : .usable(.rsa)
    case EVP_PKEY_EC:
      // The three curves that TLS 1.3 signs with (RFC 8446 section 4.2.3).
      return ["prime256v1", "secp384r1", "secp521r1"].contains(curve)
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
