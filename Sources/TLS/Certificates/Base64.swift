/// Base64 text (RFC 4648 section 4) as it stands in PEM files: blanks and line ends anywhere.
enum Base64 {
  /// The bytes that `text[range]` stands for; nil when it is anything but Base64, or none.
  ///
  /// The usual text, read fast, for there may be very many certificates. What is wrong with another
  /// one is for `PEM.decode` to find out.
  static func decode(_ text: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    // Never moved while it is filled: key material must not stay behind in a freed copy.
    var decoded = [UInt8](repeating: 0, count: range.count / 4 * 3 + 3)
    var output = decoded.mutableSpan
    guard let count = decode(text, range, into: &output) else {
      cleanse(&decoded)
      return nil
    }
    decoded.removeLast(decoded.count - count)
    return decoded
  }

  private static func decode(
    _ text: Span<UInt8>, _ range: Range<Int>, into output: inout MutableSpan<UInt8>
  ) -> Int? {
    let values = Self.values.span
    var position = range.lowerBound
    var count = 0
    while true {
      // Four digits in a row, nearly everywhere.
      while position + 4 <= range.upperBound {
        let (first, second) = (values[Int(text[position])], values[Int(text[position + 1])])
        let (third, fourth) = (values[Int(text[position + 2])], values[Int(text[position + 3])])
        if first | second | third | fourth >= Self.blank { break }
        output[count] = first << 2 | second >> 4
        output[count + 1] = second << 4 | third >> 2
        output[count + 2] = third << 6 | fourth
        count += 3
        position += 4
      }
      // The next four with blanks among them, or the last.
      var group: UInt32 = 0
      var (digits, padding) = (0, 0)
      while position < range.upperBound, digits + padding < 4 {
        let value = values[Int(text[position])]
        position += 1
        if value == Self.blank { continue }
        guard value < Self.blank ? padding == 0 : value == Self.pad else { return nil }
        group = group << 6 | UInt32(value & 0x3F)
        if value == Self.pad { padding += 1 } else { digits += 1 }
      }
      if digits + padding == 0 { return count > 0 ? count : nil }
      guard digits + padding == 4, padding <= 2 else { return nil }
      for place in 0..<(3 - padding) {
        output[count] = UInt8(truncatingIfNeeded: group >> UInt32(16 - 8 * place))
        count += 1
      }
      if padding > 0 {
        while position < range.upperBound {
          guard values[Int(text[position])] == Self.blank else { return nil }
          position += 1
        }
        return count
      }
    }
  }

  private static let blank: UInt8 = 0x40
  /// Without low bits, so that it counts as zero.
  private static let pad: UInt8 = 0x80
  private static let other: UInt8 = 0xC0

  /// What each byte stands for: a digit's value, or one of the above.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: other, count: 256)
    let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, digit) in digits.utf8.enumerated() { values[Int(digit)] = UInt8(value) }
    for byte in " \t\r\n".utf8 { values[Int(byte)] = blank }
    values[Int(UInt8(ascii: "="))] = pad
    return values
  }()
}
