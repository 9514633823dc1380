/// The SHA-256 digest of an app's signing certificate, as text.
enum FingerprintFault: Equatable {
  /// The sample of Google's documentation.
  case sample
  /// Words or brackets where the digits belong.
  case placeholder
  /// Digits that count up, or repeat, as in examples.
  case invented
  /// The length of another digest.
  case otherDigest(name: String)
  case length(bytes: Int)
  /// 64 digits, and no colon between them.
  case withoutColons
  case characters
  case lowerCase

  /// In `assetlinks.json` of the documentation.
  private static let samples: Set<String> = [
    "14:6D:E9:83:C5:73:06:50:D8:EE:B9:95:2F:34:FC:64:16:A0:83:42:E6:1D:BE:A8:8A:04:96:B2:3F:CF:44:E5"
  ]

  /// The worst fault of a fingerprint; nil when an app could have it.
  init?(of text: String) {
    if Self.isPlaceholder(text) {
      self = .placeholder
      return
    }
    let bytes = text.split(separator: ":", omittingEmptySubsequences: false)
    let hasPairs = bytes.allSatisfy { $0.utf8.count == 2 && $0.allSatisfy(\.isHexDigit) }
    if !hasPairs {
      let isDigits = text.utf8.count == 64 && text.allSatisfy(\.isHexDigit)
      self = isDigits ? .withoutColons : .characters
    } else if bytes.count == 20 {
      self = .otherDigest(name: "SHA-1")
    } else if bytes.count == 16 {
      self = .otherDigest(name: "MD5")
    } else if bytes.count != 32 {
      self = .length(bytes: bytes.count)
    } else if Self.samples.contains(text.uppercased()) {
      self = .sample
    } else if Self.isInvented(bytes.map { $0.uppercased() }) {
      self = .invented
    } else if text.contains(where: \.isLowercase) {
      self = .lowerCase
    } else {
      return nil
    }
  }

  private static func isPlaceholder(_ text: String) -> Bool {
    let upper = text.uppercased()
    let words = [
      "YOUR", "REPLACE", "FINGERPRINT", "SHA256", "SHA-256", "PLACEHOLDER", "TODO", "XX:XX",
    ]
    return text.isEmpty || text.contains { "<>[]{}$…".contains($0) } || text.contains("...")
      || words.contains { upper.contains($0) }
  }

  /// A certificate's digest has about 30 different bytes of 32.
  private static func isInvented(_ bytes: [String]) -> Bool {
    if Set(bytes).count <= 16 { return true }
    let numbers = bytes.compactMap { UInt8($0, radix: 16) }
    let steps = zip(numbers, numbers.dropFirst()).map { $1 &- $0 }
    return Set(steps).count <= 4
  }
}

/// A digest in the form that `assetlinks.json` has.
package func fingerprintText(_ digest: [UInt8]) -> String {
  digest.map { byte in
    let digits = String(byte, radix: 16, uppercase: true)
    return digits.utf8.count == 1 ? "0" + digits : digits
  }.joined(separator: ":")
}

/// 32 bytes in the form that Android compares: upper case, with colons.
func normalizedFingerprint(_ text: String) -> String {
  let digits = text.uppercased().filter(\.isHexDigit)
  var result = ""
  for (index, digit) in digits.enumerated() {
    if index > 0, index.isMultiple(of: 2) { result += ":" }
    result.append(digit)
  }
  return result
}
