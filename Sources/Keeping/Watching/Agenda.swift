/// Plans when to scan which files and folders.
///
/// An event about a name postpones the scan of the name for a short time, because the file may be
/// half-written. Further events postpone the scan again, but never more than two seconds after the
/// first event. This type does not read the clock.
struct Agenda<Key: Hashable & Sendable> {
  private struct Item {
    /// When to scan, in milliseconds of the monotonic clock.
    var due: Int64
    /// The time of the first event since the last scan; nil if there was none.
    var unsettledSince: Int64?
    /// Whether the last event said that the file is completely written.
    var isComplete = false
    var names: Set<String> = []
  }

  /// A scan that is due.
  struct Due: Equatable {
    /// Whether the file is completely written, or has been changing for too long.
    var isSettled = false
    /// The names that events mentioned.
    var names: Set<String> = []
  }

  private var items: [Key: Item] = [:]
  /// For each key of the current scan whose files were still changing, when they began to change.
  private var unsettledSince: [Key: Int64] = [:]

  var isEmpty: Bool { items.isEmpty }

  /// Plans a scan of `key` after an event, or postpones a scan that is already planned.
  ///
  /// - Parameters:
  ///   - name: The name in the domains folder; nil if the event is about a different folder.
  ///   - isComplete: Whether the file is probably completely written.
  ///   - now: Milliseconds of the monotonic clock.
  mutating func note(_ key: Key, named name: String? = nil, isComplete: Bool, now: Int64) {
    var item = items.removeValue(forKey: key) ?? Item(due: now)
    let since = item.unsettledSince ?? now
    let pause = isComplete ? ObservationLimits.completed : ObservationLimits.settlingTime
    item.due = min(now + pause, since + ObservationLimits.longestSettling)
    item.unsettledSince = since
    item.isComplete = isComplete
    if let name { item.names.insert(name) }
    items[key] = item
  }

  /// Plans a scan of `key` at `time`, unless an earlier scan of `key` is planned.
  mutating func plan(_ key: Key, at time: Int64) {
    var item = items[key] ?? Item(due: time)
    item.due = min(item.due, time)
    items[key] = item
  }

  /// Plans the scans that must be repeated.
  mutating func plan(_ again: [(key: Key, time: Int64)], now: Int64) {
    for (key, time) in again {
      plan(key, at: time)
      // If the scan must be repeated soon, the file is still changing. A later time is only a
      // retry.
      guard time - now <= ObservationLimits.settlingTime, items[key]?.unsettledSince == nil
      else { continue }
      items[key]?.unsettledSince = unsettledSince[key] ?? now
    }
  }

  /// Removes and returns the scans that are due.
  mutating func takeDue(now: Int64) -> [Key: Due] {
    var due: [Key: Due] = [:]
    unsettledSince = [:]
    for (key, item) in items where item.due <= now {
      let isOld = item.unsettledSince.map { now - $0 >= ObservationLimits.longestSettling } ?? false
      due[key] = Due(isSettled: item.isComplete || isOld, names: item.names)
      unsettledSince[key] = item.unsettledSince
    }
    for key in due.keys { items[key] = nil }
    return due
  }

  /// Returns the milliseconds until the next scan is due; nil if no scan is planned.
  func delay(now: Int64) -> Int64? {
    items.values.min { $0.due < $1.due }.map { max(0, $0.due - now) }
  }
}
