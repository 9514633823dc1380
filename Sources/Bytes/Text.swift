extension StringProtocol {
  /// Whether the text consists of at least one digit and nothing else.
  package var isDecimal: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }

  /// Parses a decimal number. Nil if the text has a character that is not a digit, such as a sign,
  /// or if the number is out of range. The range protects later calculations from overflow.
  package func decimal(in range: ClosedRange<Int64>) -> Int64? {
    guard isDecimal, let number = Int64(self) else { return nil }
    return range.contains(number) ? number : nil
  }
}

extension BinaryInteger {
  /// The number and its noun: `1 host` or `2 hosts`. The plural is the singular with an `s`, unless
  /// it is given.
  package func counting(_ singular: String, _ plural: String? = nil) -> String {
    "\(self) \(self == 1 ? singular : plural ?? singular + "s")"
  }
}

/// Returns a number with a comma between groups of three digits, such as `100,000`.
package func grouped(_ number: Int) -> String {
  let digits = Array(String(number))
  var result = ""
  for (index, digit) in digits.enumerated() {
    if index > 0 && (digits.count - index) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return result
}

/// Returns a number in decimal. Adds zeros in front of a number that has fewer than `digits`
/// digits.
package func decimal(_ number: Int, digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

extension BidirectionalCollection {
  /// Returns the elements from the first that is not blank to the last that is not blank.
  package func trimmed(_ isBlank: (Element) -> Bool) -> SubSequence {
    guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
    return self[...last].drop(while: isBlank)
  }
}

/// Returns the first range of `bytes` that is equal to `wanted`. Nil if there is no such range, or
/// if `wanted` is empty.
package func firstRange(
  of wanted: Span<UInt8>, in bytes: Span<UInt8>, from start: Int = 0
) -> Range<Int>? {
  guard !wanted.isEmpty, bytes.count >= wanted.count + start else { return nil }
  for index in start...(bytes.count - wanted.count) where bytes[index] == wanted[0] {
    var length = 1
    while length < wanted.count, bytes[index + length] == wanted[length] { length += 1 }
    if length == wanted.count { return index..<(index + length) }
  }
  return nil
}

extension [UInt8] {
  /// Returns the first range of these bytes that is equal to the bytes of a text. Nil if there is
  /// no such range, or if the text is empty.
  package func firstRange(of text: String, from start: Int = 0) -> Range<Int>? {
    Bytes.firstRange(of: text.utf8.span, in: span, from: start)
  }

  /// Whether the bytes of a text occur in these bytes.
  package func contains(_ text: String) -> Bool { firstRange(of: text) != nil }
}

// These functions compare byte for byte. The standard library's functions of the same names need
// its regular expression engine, which would make up a tenth of the program's size.

extension String {
  /// Whether this text contains another text.
  package func contains(_ wanted: String) -> Bool {
    Bytes.firstRange(of: wanted.utf8.span, in: utf8.span) != nil
  }
}

extension StringProtocol {
  /// Returns the first range of this text that is equal to another text. Nil if there is no such
  /// range, or if the other text is empty.
  package func firstRange(of wanted: some StringProtocol) -> Range<Index>? {
    let (bytes, wanted) = (Array(utf8), Array(wanted.utf8))
    guard let found = Bytes.firstRange(of: wanted.span, in: bytes.span) else { return nil }
    let start = utf8.index(startIndex, offsetBy: found.lowerBound)
    return start..<utf8.index(start, offsetBy: found.count)
  }

  /// Whether this text contains another text.
  package func contains(_ wanted: some StringProtocol) -> Bool { firstRange(of: wanted) != nil }

  /// Returns the text with every occurrence of another text replaced.
  package func replacing(
    _ wanted: some StringProtocol, with replacement: some StringProtocol
  ) -> String {
    var (result, rest) = ("", self[...])
    while let found = rest.firstRange(of: wanted) {
      result += rest[..<found.lowerBound]
      result += replacement
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
