internal import Bytes
internal import Posix

/// Fingerprints of a certificate, and its conversion to PEM text for storage.
extension Certificate {
  /// The SHA-256 digest of the server's own certificate, in hexadecimal digits.
  package var fingerprint: String {
    let leaf = leaf
    return Digest.sha256(leaf.span).hexText
  }

  /// The SHA-256 digest of the whole chain as it is sent, in hexadecimal digits.
  package var chainFingerprint: String {
    let chain = leaf + intermediates.joined()
    return Digest.sha256(chain.span).hexText
  }

  /// Returns chain and key as PEM text. Overwrites intermediate copies of the key. The caller must
  /// overwrite the result after use.
  package func pem() -> [UInt8] {
    var text = PEM.text(certificates: [leaf] + intermediates)
    withKey { PEM.append(key: $0, to: &text) }
    return text
  }
}

extension PEM {
  static func text(certificates: [[UInt8]]) -> [UInt8] {
    certificates.flatMap { text("CERTIFICATE", $0.span) }
  }

  /// Appends a private key as PEM text, and overwrites intermediate copies of the key.
  static func append(key: Span<UInt8>, to text: inout [UInt8]) {
    var secret = PEM.text(keyLabel(key), key)
    defer { cleanse(&secret) }
    // Reserve the capacity before the text contains a key. If the array grew later, a copy of the
    // key would stay in freed memory.
    text.reserveCapacity(text.count + secret.count)
    text += secret
  }
}

/// Returns the label of a private key's PEM text. The second element of the encoding shows the
/// key's form: an integer in PKCS #1, an octet string in SEC 1, the algorithm in PKCS #8.
private func keyLabel(_ key: Span<UInt8>) -> String {
  var outermost = DER(0..<key.count)
  guard var content = try? outermost.enter(DER.Tag.sequence, key),
    (try? content.next(DER.Tag.integer, key)) != nil
  else { return "PRIVATE KEY" }
  return switch content.nextTag(key) {
  case DER.Tag.integer: "RSA PRIVATE KEY"
  case DER.Tag.octetString: "EC PRIVATE KEY"
  default: "PRIVATE KEY"
  }
}
