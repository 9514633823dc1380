internal import Bytes

/// Why the text of a certificate's SHA-256 fingerprint is wrong.
enum FingerprintFault: Equatable {
  /// The text is the sample in Google's documentation, or begins like this sample.
  case sample
  /// The text contains words or brackets in place of digits.
  case placeholder
  /// The digits are in counting order, or repeat, as in invented examples.
  case invented
  /// The text has the length of a different kind of digest: MD5 or SHA-1.
  case otherDigest
  case length
  /// The text has 64 digits, but no colons between them.
  case withoutColons
  case characters
  case lowerCase
  /// The fingerprint of the public debug key in React Native's template.
  case debugKey

  /// The first bytes of the sample fingerprint in Google's documentation. Invented fingerprints
  /// often begin with the same bytes.
  private static let sampleBeginning: [UInt8] = [0x14, 0x6D, 0xE9, 0x83, 0xC5]
  static let reactNativeKey =
    "FA:C6:17:45:DC:09:03:78:6F:B9:ED:E6:2A:96:2B:39:9F:73:48:F0:BB:6F:89:9B:83:32:66:75:91:03:3B:9C"

  /// Finds the first fault of a fingerprint, in the order of the checks below; nil if a certificate
  /// could have this fingerprint.
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

  /// Finds the fault of a text with 32 pairs of hexadecimal digits. `digest` contains the values of
  /// these pairs.
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

  /// Returns the bytes of a fingerprint: 32 pairs of hexadecimal digits, separated by colons.
  /// Nil for any other text. Nearly all fingerprints in files have this form.
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

  /// Whether the text contains at least 16 pairs of hexadecimal digits among other words, as the
  /// output of keytool does.
  private static func holdsDigest(_ text: String) -> Bool {
    text.split { !$0.isHexDigit }.count { $0.utf8.count == 2 } >= 16
  }

  /// Whether the bytes look invented: they contain at most 16 different values, or at most four
  /// different steps from byte to byte. The 32 bytes of a real digest have about 30 different
  /// values.
  private static func isInvented(_ digest: [UInt8]) -> Bool {
    if Set(digest).count <= 16 { return true }
    return Set(zip(digest, digest.dropFirst()).map { $1 &- $0 }).count <= 4
  }
}

/// Returns a digest in the form that `assetlinks.json` requires: pairs of upper-case digits,
/// separated by colons.
package func fingerprintText(_ digest: [UInt8]) -> String {
  digest.map { [$0].hexText.uppercased() }.joined(separator: ":")
}

/// Returns a fingerprint in the form in which Android compares fingerprints: in upper case, with
/// colons. `text` contains the digits of the fingerprint in any case and with any separators.
package func normalizedFingerprint(_ text: String) -> String {
  let digits = Array(text.uppercased().filter(\.isHexDigit))
  return stride(from: 0, to: digits.count, by: 2)
    .map { String(digits[$0..<min($0 + 2, digits.count)]) }.joined(separator: ":")
}
