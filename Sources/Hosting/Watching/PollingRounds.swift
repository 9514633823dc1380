/// Finds changes where the kernel does not tell of them: by content, round after round.
///
/// A change counts when two rounds in a row have seen the same new content: what is being written
/// looks different each time.
struct PollingRounds {
  /// Milliseconds from the end of one round to the start of the next, at least: two rounds fit
  /// into a second, and a folder that takes long to read is not read all the time.
  private static let pause: Int64 = 300
  private static let pausePerReading: Int64 = 4

  /// Milliseconds of the monotonic clock.
  private(set) var nextRound: Int64 = 0

  /// Hashes of contents: what was taken for served, and what the last round saw beside it.
  private var accepted: [WatchKey: Int] = [:]
  private var seen: [WatchKey: Int] = [:]
  private var isFirstRound = true

  /// Takes what a round observed and returns what has changed and is quiet again.
  ///
  /// - Parameter stale: what is known to be another file than the one that was read: a reading for
  ///   another reason has met what was there between two rounds, and is no round's content.
  mutating func takeChanged(
    _ observations: [WatchKey: Int], stale: Set<WatchKey> = []
  ) -> Set<WatchKey> {
    if isFirstRound {
      isFirstRound = false
      accepted = observations
      seen = observations
      // Whatever happened since the first reading is read once more: harmless when it is the same.
      // Whole folders, for what has gone is not among the observations.
      return Set(WatchKey.Folder.allCases.map { .all($0) })
    }
    var changed: Set<WatchKey> = []
    for key in Set(observations.keys).union(accepted.keys) {
      let observation = observations[key]
      if observation == seen[key] && (observation != accepted[key] || stale.contains(key)) {
        changed.insert(key)
        accepted[key] = observation
      }
    }
    seen = observations
    return changed
  }

  mutating func endRound(began: Int64, ended: Int64) {
    nextRound = ended + max(Self.pause, (ended - began) * Self.pausePerReading)
  }
}
