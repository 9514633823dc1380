/// What this module accepts of texts that it does not know.
package enum MatchingLimits {
  /// The longest URL that is looked at, in bytes. Browsers cut off far below.
  package static let urlBytes = 1_048_576

  /// The states of all patterns of one file together. A pattern has about one for each of its
  /// characters and for each character of its variables' values; `$(lang)` has a thousand. A file
  /// of 128 KiB has more only when variables with very many values are used in very many rules.
  package static let states = 8_000_000

  /// The size of all transition tables of one file together, in words of 8 bytes.
  package static let tableWords = 16_777_216
}

/// The patterns of a file are too large to be compiled.
package struct PatternsTooLarge: Error, Equatable {}

/// What a person is told of `PatternsTooLarge`.
package let tooLargePatterns =
  "the patterns are too large to be compiled; give variables fewer values or use them less often"
