/// The limits for the patterns of one file.
package enum MatchingLimits {
  /// The maximum number of states of all patterns of one file. A pattern has about one state for
  /// each of its characters and of its variables' values; `$(lang)` has a thousand. A file of 128
  /// KiB exceeds this only if many rules use variables with many values.
  package static let states = 8_000_000

  /// The maximum size of all transition tables of one file, in 8-byte words.
  package static let tableWords = 16_777_216
}
