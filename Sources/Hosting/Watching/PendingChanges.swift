internal import Posix

/// Waits with each change until the file is quiet, so that no half-written file is read.
///
/// Pure: events and the time go in, keys that may be read now come out.
struct PendingChanges {
  /// How long a change waits, in milliseconds.
  private enum Wait {
    /// After a change that leaves a complete file: gathers what belongs together.
    static let complete: Int64 = 5
    /// After a removal: whoever replaces a file by removing and writing it has time to write.
    static let removal: Int64 = 50
    /// While a writer has the file open. Its closing ends the wait; writers that never close, such
    /// as those that map the file, end it by being quiet.
    static let writing: Int64 = 500
  }

  private var due: [WatchKey: Int64] = [:]

  /// Whether nothing waits.
  var isEmpty: Bool { due.isEmpty }

  /// Takes note of a change.
  ///
  /// - Parameters:
  ///   - isComplete: for a created name: whether it is complete as it is (a link, a directory).
  ///   - now: milliseconds of the monotonic clock.
  mutating func note(
    _ key: WatchKey, _ change: DirectoryWatcher.Event.Change, isComplete: Bool, now: Int64
  ) {
    switch change {
    case .written, .movedIn, .overflow: due[key] = now + Wait.complete
    case .created: due[key] = now + (isComplete ? Wait.complete : Wait.writing)
    case .writing: due[key] = now + Wait.writing
    case .removed, .directoryGone, .attributes:
      // Somebody who writes the same name decides when it is complete.
      due[key] = max(due[key] ?? 0, now + Wait.removal)
    }
  }

  /// Takes note of what was observed, and looks at what was made.
  mutating func note(_ observed: WatchRegistry.Observed, now: Int64) {
    guard observed.change == .created, let made = try? linkStatus(observed.path) else {
      note(observed.key, observed.change, isComplete: true, now: now)
      return
    }
    // A new folder is about to be filled: it waits as one whose files are replaced. A link of
    // either kind needs no writer any more.
    note(
      observed.key, made.kind == .directory ? .attributes : .created,
      isComplete: made.kind != .regular || made.links > 1, now: now)
  }

  /// Takes the keys whose wait is over.
  mutating func takeDue(now: Int64) -> Set<WatchKey> {
    let ready = due.filter { $0.value <= now }
    for key in ready.keys { due[key] = nil }
    return Set(ready.keys)
  }

  /// Milliseconds until the next wait is over; nil when nothing waits.
  func delay(now: Int64) -> Int64? {
    due.values.min().map { max(0, $0 - now) }
  }

  func contains(_ key: WatchKey) -> Bool { due[key] != nil }
}
