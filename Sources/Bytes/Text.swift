extension StringProtocol {
  /// Whether the text has digits only, and at least one.
  package var isDecimal: Bool { !isEmpty && utf8.allSatisfy(\.isDigit) }

  /// Parses a decimal number; nil if the text has any other character, such as a sign, or if the
  /// number is out of range. The range keeps later calculations from overflowing.
  package func decimal(in range: ClosedRange<Int64>) -> Int64? {
    guard isDecimal, let number = Int64(self) else { return nil }
    return range.contains(number) ? number : nil
  }
}

/// A number in decimal, with zeros in front if it has fewer digits.
package func decimal(_ number: Int, digits: Int) -> String {
  let text = String(number)
  return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}

extension BidirectionalCollection {
  /// Returns the elements without those at either end that `isBlank` accepts.
  package func trimmed(_ isBlank: (Element) -> Bool) -> SubSequence {
    guard let last = lastIndex(where: { !isBlank($0) }) else { return self[endIndex...] }
    return self[...last].drop(while: isBlank)
  }
}
