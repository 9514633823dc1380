internal import COpenSSL

/// A private key made for a test. Confined to the test that makes it. All RSA keys of one size have the
/// same numbers: making them takes long.
package final class TestKey {
  package enum Kind: Sendable {
    case p256, p384, secp256k1, rsa2048, rsa1024, ed25519, ed448
  }

  let pointer: OpaquePointer

  /// - Parameter isOther: not the same as other RSA keys either.
  package init(_ kind: Kind = .p256, isOther: Bool = false) {
    let made =
      switch kind {
      case .rsa2048 where isOther: aasa_generate_rsa_key(2048)
      case .rsa1024 where isOther: aasa_generate_rsa_key(1024)
      case .p256: aasa_generate_ec_key("P-256")
      case .p384: aasa_generate_ec_key("P-384")
      case .secp256k1: aasa_generate_ec_key("secp256k1")
      case .rsa2048: Self.parsed(Self.rsa2048)
      case .rsa1024: Self.parsed(Self.rsa1024)
      case .ed25519: Self.edwards(EVP_PKEY_ED25519)
      case .ed448: Self.edwards(EVP_PKEY_ED448)
      }
    guard let made else { preconditionFailure("cannot make a key") }
    pointer = made
  }

  /// One that was written as PEM without a passphrase; nil if it is not a key.
  package init?(pem: String) {
    guard let pointer = Self.parsed(Array(pem.utf8)) else { return nil }
    self.pointer = pointer
  }

  private static let rsa2048 = rsa(2048)
  private static let rsa1024 = rsa(1024)

  private static func rsa(_ bits: Int) -> [UInt8] {
    let key = aasa_generate_rsa_key(bits)
    defer { EVP_PKEY_free(key) }
    return written { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  private static func parsed(_ pem: [UInt8]) -> OpaquePointer? {
    read(pem) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
  }

  deinit { EVP_PKEY_free(pointer) }

  private static func edwards(_ kind: Int32) -> OpaquePointer? {
    let context = EVP_PKEY_CTX_new_id(kind, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    EVP_PKEY_keygen_init(context)
    EVP_PKEY_keygen(context, &key)
    return key
  }

  /// PKCS #8, encrypted when a passphrase is given.
  package func pem(passphrase: String? = nil) -> [UInt8] {
    written { bio in
      if let passphrase {
        PEM_write_bio_PKCS8PrivateKey(
          bio, pointer, EVP_aes_256_cbc(), passphrase, Int32(passphrase.utf8.count), nil, nil)
      } else {
        PEM_write_bio_PKCS8PrivateKey(bio, pointer, nil, nil, 0, nil, nil)
      }
    }
  }

  /// The form before PKCS #8: `RSA PRIVATE KEY`, `EC PRIVATE KEY`.
  package func traditionalPEM(passphrase: String? = nil) -> [UInt8] {
    written { bio in
      if let passphrase {
        let bytes = Array(passphrase.utf8)
        return PEM_write_bio_PrivateKey_traditional(
          bio, pointer, EVP_aes_256_cbc(), bytes, Int32(bytes.count), nil, nil)
      } else {
        return PEM_write_bio_PrivateKey_traditional(bio, pointer, nil, nil, 0, nil, nil)
      }
    }
  }
}

/// What `body` reads from a memory BIO with these bytes.
func read(_ bytes: [UInt8], _ body: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
  bytes.withUnsafeBytes { buffer in
    let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(buffer.count))
    defer { BIO_free(bio) }
    return body(bio)
  }
}

/// The bytes that `body` writes to the memory BIO.
func written(_ body: (OpaquePointer?) -> Int32) -> [UInt8] {
  let bio = BIO_new(BIO_s_mem())
  defer { BIO_free(bio) }
  precondition(body(bio) == 1)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 4096)
  while true {
    let count = BIO_read(bio, &chunk, Int32(chunk.count))
    if count <= 0 { return bytes }
    bytes += chunk.prefix(Int(count))
  }
}
