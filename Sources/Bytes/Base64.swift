/// Base64 text (RFC 4648 section 4).
package enum Base64 {
  /// The meaning of a byte in Base64 text.
  package enum Symbol: Equatable, Sendable {
    case digit(UInt8)
    case pad, blank, other
  }

  /// Encodes bytes as padded text on one line.
  package static func encode(_ bytes: [UInt8]) -> String { encode(bytes, digits, isPadded: true) }

  /// Encodes bytes as base64url without padding (RFC 4648 section 5, RFC 7515 section 2).
  package static func encodeForURL(_ bytes: [UInt8]) -> String {
    encode(bytes, urlDigits, isPadded: false)
  }

  private static func encode(_ bytes: [UInt8], _ digits: [UInt8], isPadded: Bool) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = 0
      for byte in group { bits = bits << 8 | Int(byte) }
      bits <<= 8 * (3 - group.count)
      for index in 0..<4 {
        if index <= group.count {
          text.append(digits[bits >> (18 - 6 * index) & 63])
        } else if isPadded {
          text.append(pad)
        }
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The size of an output that is large enough for `decode`.
  package static func capacity(for range: Range<Int>) -> Int { range.count / 4 * 3 + 3 }

  /// Decodes `text[range]` into the beginning of `output`. The text may contain blanks and line
  /// ends anywhere. Returns the number of decoded bytes; nil if the text is empty or not Base64.
  ///
  /// The caller provides the output, so that this function leaves no copy of a secret in memory.
  package static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
  ) -> Int? {
    let values = Self.values.span
    var output = output.mutableSpan
    var position = range.lowerBound
    var group: UInt32 = 0
    var (digits, padding, count) = (0, 0, 0)
    while position < range.upperBound {
      // The common case: four digits in a row.
      while digits & 3 == 0, padding == 0, position + 4 <= range.upperBound {
        let (first, second) = (values[Int(text[position])], values[Int(text[position + 1])])
        let (third, fourth) = (values[Int(text[position + 2])], values[Int(text[position + 3])])
        if first | second | third | fourth > 63 { break }
        output[count] = first << 2 | second >> 4
        output[count + 1] = second << 4 | third >> 2
        output[count + 2] = third << 6 | fourth
        count += 3
        position += 4
        digits += 4
      }
      guard position < range.upperBound else { break }
      let symbol = symbol(text[position])
      position += 1
      switch symbol {
      case .blank: continue
      case .digit(let value) where padding == 0:
        group = group << 6 | UInt32(value)
        digits += 1
      case .pad where padding < 2:
        group <<= 6
        padding += 1
      default: return nil
      }
      if (digits + padding) & 3 == 0 {
        output[count] = UInt8(truncatingIfNeeded: group >> 16)
        output[count + 1] = UInt8(truncatingIfNeeded: group >> 8)
        output[count + 2] = UInt8(truncatingIfNeeded: group)
        count += 3
      }
    }
    return digits > 0 && (digits + padding) & 3 == 0 ? count - padding : nil
  }

  package static func symbol(_ byte: UInt8) -> Symbol {
    switch values[Int(byte)] {
    case let value where value < 64: .digit(value)
    case blank: .blank
    case padding: .pad
    default: .other
    }
  }

  private static let pad = UInt8(ascii: "=")
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let urlDigits = Array(digits.dropLast(2) + "-_".utf8)

  /// The values in the table `values` for bytes that are not Base64 digits.
  private static let (blank, padding, other) = (UInt8(64), UInt8(65), UInt8(66))

  /// For each byte, its value as a Base64 digit. For a byte that is not a digit, one of the three
  /// values above.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: other, count: 256)
    for (value, digit) in digits.enumerated() { values[Int(digit)] = UInt8(value) }
    for byte in " \t\r\n".utf8 { values[Int(byte)] = blank }
    values[Int(pad)] = padding
    return values
  }()
}

/// Decodes base64url text with or without padding. Nil if the text is not valid base64url.
package func decodedBase64url(_ text: String) -> [UInt8]? {
  if text.isEmpty { return [] }
  if text.contains(where: \.isWhitespace) { return nil }
  var plain = text.filter { $0 != "=" }.map { $0 == "-" ? "+" : $0 == "_" ? "/" as Character : $0 }
  while plain.count % 4 != 0 { plain.append("=") }
  let bytes = Array(String(plain).utf8)
  var result = [UInt8](repeating: 0, count: Base64.capacity(for: bytes.indices))
  guard let count = Base64.decode(bytes.span, bytes.indices, into: &result) else { return nil }
  return Array(result.prefix(count))
}
