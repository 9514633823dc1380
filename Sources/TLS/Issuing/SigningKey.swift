internal import COpenSSL
internal import Diagnostics
internal import Posix

/// An ECDSA key on P-256: the key of an ACME account (RFC 8555 section 6.2), or of a requested
/// certificate.
package final class SigningKey: Sendable {
  let key: PrivateKey

  init(_ key: PrivateKey) { self.key = key }

  /// Makes a new random key.
  package static func generate() throws(TLSError) -> SigningKey {
    ErrorQueue.clear()
    guard let pointer = unsafe aasa_generate_ec_key("P-256") else {
      throw ErrorQueue.error("EVP_EC_gen")
    }
    return unsafe SigningKey(PrivateKey(owning: pointer))
  }

  /// Reads the first unencrypted private key in PEM text; nil if there is none, or if the key is
  /// not on P-256.
  package convenience init?(pem: [UInt8]) {
    guard let blocks = try? PEM.blocks(in: pem),
      let block = blocks.first(where: { $0.isPrivateKey && !$0.isEncrypted }),
      var der = try? PEM.decode(block, in: pem)
    else { return nil }
    defer { cleanse(&der) }
    guard let key = PrivateKey(der: der.span), key.suitability == .usable(.ecdsa) else {
      return nil
    }
    self.init(key)
    guard publicPoint != nil else { return nil }
  }

  /// An upper limit for the size of a P-256 key's PEM text, in bytes.
  package static let pemBytes = 512

  /// Appends the key as PEM text in SEC 1 form (RFC 5915), and overwrites intermediate copies.
  package func appendPEM(to bytes: inout [UInt8]) {
    key.sealed?.withBytes { PEM.append(key: $0, to: &bytes) }
  }

  /// The x and y coordinates of the public key's point, 32 bytes each; nil if OpenSSL cannot export
  /// them.
  package var publicPoint: (x: [UInt8], y: [UInt8])? {
    guard let x = coordinate("qx"), let y = coordinate("qy") else { return nil }
    return (x, y)
  }

  private func coordinate(_ name: String) -> [UInt8]? {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(key.handle.pointer, name, &number) == 1 else { return nil }
    defer { unsafe BN_free(number) }
    return unsafe padded(number)
  }

  /// Signs a message with ES256 (RFC 7518 section 3.4): ECDSA with SHA-256. Returns the two numbers
  /// of the signature, 32 bytes each.
  package func sign(_ message: [UInt8]) throws(TLSError) -> [UInt8] {
    ErrorQueue.clear()
    guard let context = unsafe EVP_MD_CTX_new() else { throw ErrorQueue.error("EVP_MD_CTX_new") }
    defer { unsafe EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 128)
    var count = signature.count
    guard unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key.handle.pointer) == 1,
      unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1
    else { throw ErrorQueue.error("EVP_DigestSign") }
    let pair: OpaquePointer? = unsafe signature.withUnsafeBufferPointer { bytes in
      var position = bytes.baseAddress
      return unsafe d2i_ECDSA_SIG(nil, &position, count)
    }
    guard let pair = unsafe pair else { throw ErrorQueue.error("d2i_ECDSA_SIG") }
    defer { unsafe ECDSA_SIG_free(pair) }
    guard let r = unsafe padded(ECDSA_SIG_get0_r(pair)),
      let s = unsafe padded(ECDSA_SIG_get0_s(pair))
    else { throw ErrorQueue.error("BN_bn2binpad") }
    return r + s
  }
}

private func padded(_ number: OpaquePointer?) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: 32)
  return unsafe BN_bn2binpad(number, &bytes, 32) == 32 ? bytes : nil
}

/// Returns the HMAC of a message with SHA-256 (RFC 2104).
package func authenticationCode(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
  var code = [UInt8](repeating: 0, count: 32)
  var count: UInt32 = 0
  let done = unsafe HMAC(
    EVP_sha256(), key, Int32(clamping: key.count), message, message.count, &code, &count)
  precondition(unsafe done != nil && count == 32, "this OpenSSL has no HMAC with SHA-256")
  return code
}

extension PEM {
  /// Returns a block of PEM text (RFC 7468) with lines of 64 characters.
  static func text(_ label: String, _ content: Span<UInt8>) -> [UInt8] {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text = Array("-----BEGIN \(label)-----\n".utf8)
    // Reserve enough memory at once. If the array grew later, a copy of key material would stay in
    // freed memory.
    text.reserveCapacity(text.count * 2 + content.count / 48 * 65 + 200)
    var column = 0
    for start in stride(from: 0, to: content.count, by: 3) {
      let count = min(3, content.count - start)
      var bits = 0
      for index in 0..<3 { bits = bits << 8 | (index < count ? Int(content[start + index]) : 0) }
      for index in 0..<4 {
        text.append(index <= count ? alphabet[bits >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
      column += 4
      if column == 64 {
        text.append(0x0A)
        column = 0
      }
    }
    if column > 0 { text.append(0x0A) }
    text += "-----END \(label)-----\n".utf8
    return text
  }
}
