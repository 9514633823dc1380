extension StringProtocol {
  /// The decimal number that the text is; nil if it has another character, such as a sign, or if
  /// the number is outside the range. Numbers of others are read so: within a range, nothing that
  /// is calculated from them overflows.
  package func decimal(in range: ClosedRange<Int64>) -> Int64? {
    guard !isEmpty, utf8.allSatisfy(\.isDigit), let number = Int64(self) else { return nil }
    return range.contains(number) ? number : nil
  }
}
