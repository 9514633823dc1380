internal import Bytes

/// A fault in the text of a certificate's SHA-256 digest.
enum FingerprintFault: Equatable {
  /// The sample from Google's documentation, or a text that begins like the sample.
  case sample
  /// Words or brackets in place of digits.
  case placeholder
  /// Digits that count up or repeat, as in invented examples.
  case invented
  /// The text has the length of another kind of digest, MD5 or SHA-1.
  case otherDigest
  case length
  /// 64 digits without colons.
  case withoutColons
  case characters
  case lowerCase
  /// The debug key from React Native's template, which is public.
  case debugKey

  /// The beginning of the documentation's sample in `assetlinks.json`. Invented fingerprints often
  /// begin the same way and continue differently.
  private static let sampleBeginning: [UInt8] = [0x14, 0x6D, 0xE9, 0x83, 0xC5]
  static let reactNativeKey =
    "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C"

  /// Finds the worst fault of a fingerprint; nil if an app could have this fingerprint.
  init?(of text: String) {
    if let digest = Self.digest(text) {
      self.init(of: text, digest)
      return
    }
    if Self.isPlaceholder(text), !Self.holdsDigest(text) {
      self = .placeholder
      return
    }
    let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
    let hasPairs = bytes.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    if !hasPairs {
      let isDigits = text.utf8.count == 64 && text.allSatisfy(\.isHexDigit)
      self = isDigits ? .withoutColons : .characters
    } else if [16, 20].contains(bytes.count) {
      self = .otherDigest
    } else {
      self = .length
    }
  }

  /// Finds the fault of a text that has the form of a fingerprint.
  private init?(of text: String, _ digest: [UInt8]) {
    if digest.starts(with: Self.sampleBeginning) {
      self = .sample
    } else if text.uppercased() == Self.reactNativeKey {
      self = .debugKey
    } else if Self.isInvented(digest) {
      self = .invented
    } else if text.utf8.contains(where: { $0 >= UInt8(ascii: "a") }) {
      self = .lowerCase
    } else {
      return nil
    }
  }

  /// The digest of a text with 32 pairs of hexadecimal digits and colons between them; nil for any
  /// other text. Nearly all texts have this form.
  private static func digest(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    guard text.count == 95 else { return nil }
    var digest: [UInt8] = []
    for place in stride(from: 0, to: text.count, by: 3) {
      guard let high = text[place].hexValue, let low = text[place + 1].hexValue,
        place + 2 == text.count || text[place + 2] == UInt8(ascii: ":")
      else { return nil }
      digest.append(high << 4 | low)
    }
    return digest
  }

  private static func isPlaceholder(_ text: String) -> Bool {
    let upper = text.uppercased()
    let words = [
      "YOUR", "REPLACE", "FINGERPRINT", "SHA256", "SHA-256", "PLACEHOLDER", "TODO", "XX:XX",
    ]
    return text.isEmpty || text.contains { "<>[]{}$…".contains($0) } || text.contains("...")
      || words.contains { upper.contains($0) }
  }

  /// Whether the text contains a digest between words, as keytool's output does.
  private static func holdsDigest(_ text: String) -> Bool {
    text.split { !$0.isHexDigit }.count { $0.utf8.count == 2 } >= 16
  }

  /// Whether the bytes look invented: they have few distinct values or few distinct differences. A
  /// real digest has about 30 distinct values among its 32 bytes.
  private static func isInvented(_ digest: [UInt8]) -> Bool {
    if Set(digest).count <= 16 { return true }
    return Set(zip(digest, digest.dropFirst()).map { $1 &- $0 }).count <= 4
  }
}

/// A digest in the form that `assetlinks.json` uses.
package func fingerprintText(_ digest: [UInt8]) -> String {
  digest.map { [$0].hexText.uppercased() }.joined(separator: ":")
}

/// A 32-byte digest in the form that Android compares: upper case with colons.
package func normalizedFingerprint(_ text: String) -> String {
  let digits = Array(text.uppercased().filter(\.isHexDigit))
  return stride(from: 0, to: digits.count, by: 2)
    .map { String(digits[$0..<min($0 + 2, digits.count)]) }.joined(separator: ":")
}
