internal import Bytes

/// A certificate as text, for keeping it.
extension Certificate {
  /// The SHA-256 digest of the server's own certificate, in hexadecimal digits.
  package var fingerprint: String {
    let leaf = leaf
    return Digest.sha256(leaf.span).hexText
  }

  /// The same of the whole chain as it is sent.
  package var chainFingerprint: String {
    let chain = leaf + intermediates.joined()
    return Digest.sha256(chain.span).hexText
  }

  /// Chain and key as PEM text. What is copied on the way is cleansed; the caller cleanses the
  /// result.
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

  /// Appends a private key, and cleanses what is copied on the way.
  static func append(key: Span<UInt8>, to text: inout [UInt8]) {
    var secret = PEM.text(keyLabel(key), key)
    defer { cleanse(&secret) }
    // Before there is a key in it, because a freed copy would still hold it.
    text.reserveCapacity(text.count + secret.count)
    text += secret
  }
}

/// The label of a private key's PEM text: PKCS #1 has a number in the place where SEC 1 has the key
/// and PKCS #8 the algorithm.
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
