/// Plans scans.
///
/// Every event about a name puts its scan off until the name has been quiet for a while, but
/// for two seconds at most, so that half-written files are not read. It does not read the clock.
struct Agenda<Key: Hashable & Sendable> {
  private struct Item {
    /// When to scan.
    var due: Int64
    /// When the first event since the last scan came; nil if there was none.
    var unsettledSince: Int64?
    /// Whether the last event said that the writer of the file has finished.
    var isComplete = false
  }

  /// The keys whose scans are due.
  struct Due {
    /// Whether each key is settled: its writer has finished, or has taken too long.
    var keys: [Key: Bool] = [:]
    /// When each unsettled key began to change.
    var unsettledSince: [Key: Int64] = [:]

    var isEmpty: Bool { keys.isEmpty }
  }

  private var items: [Key: Item] = [:]

  var isEmpty: Bool { items.isEmpty }

  /// Notes an event.
  ///
  /// - Parameters:
  ///   - isComplete: Whether the writer has probably finished.
  ///   - now: Milliseconds of the monotonic clock.
  mutating func note(_ key: Key, isComplete: Bool, now: Int64) {
    let since = items[key]?.unsettledSince ?? now
    let pause = isComplete ? ObservationLimits.completed : ObservationLimits.settlingTime
    items[key] = Item(
      due: min(now + pause, since + ObservationLimits.longestSettling), unsettledSince: since,
      isComplete: isComplete)
  }

  /// Plans a scan, unless an earlier one is planned.
  ///
  /// - Parameter unsettledSince: When the file began to change; nil if it is settled.
  mutating func plan(_ key: Key, at time: Int64, unsettledSince: Int64?) {
    var item = items[key] ?? Item(due: time)
    item.unsettledSince = item.unsettledSince ?? unsettledSince
    item.due = min(item.due, time)
    items[key] = item
  }

  /// Removes and returns what is due.
  mutating func takeDue(now: Int64) -> Due {
    var due = Due()
    if items.isEmpty { return due }
    for (key, item) in items where item.due <= now {
      let isOld = item.unsettledSince.map { now - $0 >= ObservationLimits.longestSettling } ?? false
      due.keys[key] = item.isComplete || isOld
      due.unsettledSince[key] = item.unsettledSince
    }
    for key in due.keys.keys { items[key] = nil }
    return due
  }

  /// Returns the milliseconds until something is due; nil if nothing is planned.
  func delay(now: Int64) -> Int64? {
    items.values.min { $0.due < $1.due }.map { max(0, $0.due - now) }
  }
}
