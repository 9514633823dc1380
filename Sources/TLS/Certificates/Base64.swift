/// Base64 text (RFC 4648 section 4) as in PEM files: with blanks and line ends anywhere.
enum Base64 {
  /// The meaning of a byte in Base64 text.
  enum Symbol: Equatable {
    case digit(UInt8)
    case pad, blank, other
  }

  /// The bytes that `text[range]` encodes; nil if it is not Base64, or empty.
  static func decode(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    // Never reallocated while it is filled, because a freed copy would still hold key material.
    var decoded = [UInt8](repeating: 0, count: range.count / 4 * 3 + 3)
    guard let count = decode(text, range, into: &decoded) else {
      cleanse(&decoded)
      return nil
    }
    decoded.removeLast(decoded.count - count)
    return decoded
  }

  private static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, into output: inout [UInt8]
  ) -> Int? {
    let symbols = Self.symbols.span
    var group: UInt32 = 0
    var (digits, padding, count) = (0, 0, 0)
    for index in range {
      switch symbols[Int(text[index])] {
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

  static func symbol(_ byte: UInt8) -> Symbol { symbols[Int(byte)] }

  private static let symbols: [Symbol] = {
    var symbols = [Symbol](repeating: .other, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { symbols[Int(digit)] = .digit(UInt8(value)) }
    for byte in " \t\r\n".utf8 { symbols[Int(byte)] = .blank }
    symbols[Int(UInt8(ascii: "="))] = .pad
    return symbols
  }()
}
