/// The limits of the patterns of one file.
package enum MatchingLimits {
  /// The states of all patterns of one file together. A pattern has about one for each of its
  /// characters and for each character of its variables' values; `$(lang)` has a thousand. A file
  /// of 128 KiB has more only if variables with many values are used in many rules.
  package static let states = 8_000_000

  /// The size of all transition tables of one file together, in words of 8 bytes.
  package static let tableWords = 16_777_216
}
