internal import Settings

/// Plans when to scan which files and folders.
///
/// After an event about a name, the scan of the name waits for a short time, because the file may
/// be half-written. Each further event delays the scan again, but the scan starts at most two
/// seconds after the first event. This type does not read the clock.
struct Agenda<Key: Hashable & Sendable> {
  private struct Item {
    /// When to scan, in milliseconds of the monotonic clock.
    var due: Int64
    /// The time of the first event since the last scan; nil if there was no event.
    var unsettledSince: Int64?
    /// Whether the last event said that the file is completely written.
    var isComplete = false
    var names: Set<String> = []
  }

  /// A scan that is due.
  struct Due: Equatable {
    /// Whether the file is completely written, or has been changing for too long.
    var isSettled = false
    /// The names for which the kernel has reported events.
    var names: Set<String> = []
  }

  private var items: [Key: Item] = [:]
  /// For each key of the current scan whose files were still changing, the time at which the files
  /// began to change.
  private var unsettledSince: [Key: Int64] = [:]

  var isEmpty: Bool { items.isEmpty }

  /// Plans a scan of `key` after an event, or postpones a scan that is already planned.
  ///
  /// - Parameters:
  ///   - name: The name in the domains folder that the event is about. Nil if the event is about a
  ///     different folder.
  ///   - isComplete: Whether the file is probably completely written.
  ///   - now: Milliseconds of the monotonic clock.
  mutating func plan(_ key: Key, named name: String? = nil, isComplete: Bool, now: Int64) {
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
      // If a scan must be repeated after a very short time, the file is still changing. After a
      // longer time, the scan is only another attempt.
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

/// What a single scan covers.
enum ScanKey: Hashable, Sendable {
  /// The names in the domains folder.
  case domainsFolder
  case domain(DomainName)
  /// The names in the certificates folder.
  case certificatesFolder
  /// The names in the folder of automatic certificates.
  case issuedFolder
  /// The file `confirm` in the state folder.
  case stateFolder
  /// The files in either of the two certificates folders that belong to a name.
  case certificate(String)

  /// Makes the key for a name in the domains folder. If the name does not belong to a domain, the
  /// key is `domainsFolder`. For example, a link to a version of the whole folder does not belong
  /// to a domain.
  init(nameInDomains name: String) {
    for isDirectory in [false, true] {
      if case .part(_, let domain) = NameClass(name, isDirectory: isDirectory) {
        self = .domain(domain)
        return
      }
    }
    self = .domainsFolder
  }
}
