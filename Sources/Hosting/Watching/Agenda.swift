/// When to look at what.
///
/// Whatever happens to a name puts the look off until the name has been quiet for a while, so that no
/// half-written file is read. It is put off for two seconds at most. Pure: it knows no clock.
struct Agenda<Key: Hashable & Sendable> {
  private struct Item {
    /// When to look.
    var due: Int64
    /// When the first thing happened since the last look; nil when nothing has.
    var unrestSince: Int64?
    /// The last event said that whoever wrote the file has finished.
    var isComplete = false
  }

  /// What is due.
  struct Due {
    /// Each with whether it is settled: whoever wrote has finished, or did not come to rest.
    var keys: [Key: Bool] = [:]
    /// Since when those have been restless that are.
    var unrestSince: [Key: Int64] = [:]

    var isEmpty: Bool { keys.isEmpty }
  }

  private var items: [Key: Item] = [:]

  var isEmpty: Bool { items.isEmpty }

  /// Takes note that something happened.
  ///
  /// - Parameters:
  ///   - isComplete: whoever wrote has finished, as far as can be seen.
  ///   - now: milliseconds of the monotonic clock.
  mutating func note(_ key: Key, isComplete: Bool, now: Int64) {
    let since = items[key]?.unrestSince ?? now
    let pause = isComplete ? ObservationLimits.completed : ObservationLimits.unrest
    items[key] = Item(
      due: min(now + pause, since + ObservationLimits.longestUnrest), unrestSince: since,
      isComplete: isComplete)
  }

  /// Plans a look at a time, unless one is planned for an earlier time.
  ///
  /// - Parameter unrestSince: since when the file has been changing; nil when it does not.
  mutating func plan(_ key: Key, at time: Int64, unrestSince: Int64?) {
    var item = items[key] ?? Item(due: time)
    item.unrestSince = item.unrestSince ?? unrestSince
    item.due = min(item.due, time)
    items[key] = item
  }

  /// Takes what is due.
  mutating func takeDue(now: Int64) -> Due {
    var due = Due()
    if items.isEmpty { return due }
    for (key, item) in items where item.due <= now {
      let isOld = item.unrestSince.map { now - $0 >= ObservationLimits.longestUnrest } ?? false
      due.keys[key] = item.isComplete || isOld
      due.unrestSince[key] = item.unrestSince
    }
    for key in due.keys.keys { items[key] = nil }
    return due
  }

  /// Milliseconds until something is due; nil when nothing is planned.
  func delay(now: Int64) -> Int64? {
    items.values.min { $0.due < $1.due }.map { max(0, $0.due - now) }
  }
}
