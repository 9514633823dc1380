/// How much is done before the first answer, and how much later.
enum LoadingLimits {
  /// Up to so many entries are read whole: gzip is made and warnings are told before anything is
  /// served. Of more entries only errors are looked for first, for tens of thousands of them would
  /// keep a server from answering for seconds.
  static let entriesAtOnce = 256

  /// Entries that are read before their contents are put together: bounds what is in memory twice.
  static let wave = 16_384

  /// Entries that one thread takes at a time.
  static let slice = 128

  /// Contents that a thread remembers to know them again.
  static let remembered = 64

  /// Diagnostics of one kind that are kept to be told, of those that are found after the start.
  static let toldPerCode = 10

  /// Entries, and certificates, of which it is remembered in words what is wrong with them.
  static let describedTroubles = 1000

  /// Diagnostics of one of them that are remembered.
  static let keptPerTrouble = 10

  /// Milliseconds of background work between two looks at what has changed.
  static let backgroundSlice: Int64 = 5
}
