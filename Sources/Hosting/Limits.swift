/// How much is done at a time.
enum LoadingLimits {
  /// Domains that are read before what is served of them is decided: bounds what is in memory twice.
  static let wave = 16_384

  /// Entries that one thread takes at a time.
  static let slice = 128

  /// Domains that the rules run on between two looks at what has changed.
  static let judgedAtOnce = 32

  /// Diagnostics of one kind that are reported at a time.
  static let reportedPerCode = 10

  /// Domains, and certificates, of which it is remembered in words what is wrong with them.
  static let describedTroubles = 1000

  /// Diagnostics of one of them that are remembered.
  static let keptPerTrouble = 10

  /// Milliseconds of background work between two looks at what has changed.
  static let backgroundSlice: Int64 = 5
}
