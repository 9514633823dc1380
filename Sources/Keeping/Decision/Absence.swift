/// The names missing from a folder or a list, since when, and the size of the loss. Pure.
///
/// A loss begins when the first name goes missing, and ends when none is missing. Its size is
/// measured against the names that had been known for `withdrawAfter` when it began. So a loss does
/// not look smaller because new names appear at the same time, as when every name is replaced.
struct Absence<Key: Hashable & Sendable>: Sendable {
  /// The missing names, each with the time when it went missing, in milliseconds of the monotonic
  /// clock.
  private var since: [Key: Int64] = [:]
  /// The names that became known recently, and when.
  private var young: [Key: Int64] = [:]
  private var loss: Loss?

  private struct Loss {
    let start: Int64
    /// The number of names that could be lost.
    let known: Int
    /// The names that were too young to count.
    let young: Set<Key>
    /// When a name last went missing.
    var last: Int64
    /// The number of names that were withdrawn.
    var withdrawn = 0
    /// The number of missing names that count.
    var missing = 0
    /// The largest size of the loss.
    var most = 0
    /// When a name last came back, which restarts the waiting time of the other missing names.
    var returned = Int64.min

    /// Whether a name had been known for long enough when the loss began.
    func counts(_ name: Key) -> Bool { young.isEmpty || !young.contains(name) }

    mutating func note(_ name: Key, now: Int64) {
      last = now
      if !counts(name) { return }
      missing += 1
      most = max(most, missing + withdrawn)
    }
  }

  /// A loss that lasts for more than this many times `withdrawAfter` no longer counts as one event.
  private static var longestLoss: Int64 { 10 }

  var isEmpty: Bool { since.isEmpty }
  var names: Dictionary<Key, Int64>.Keys { since.keys }

  func isMissing(_ name: Key) -> Bool { !since.isEmpty && since[name] != nil }

  /// The earliest time from which an absence counts.
  var restarted: Int64 { loss?.returned ?? .min }

  /// Notes that a name became known. Do not call it for names found at a start: they count as old.
  mutating func add(_ name: Key, now: Int64, withdrawAfter: Int64) {
    young[name] = now
    // Keeps names from piling up while nothing is missing.
    if young.count.isMultiple(of: 1024) { forgetOld(now: now, withdrawAfter: withdrawAfter) }
  }

  private mutating func forgetOld(now: Int64, withdrawAfter: Int64) {
    if !young.isEmpty { young = young.filter { now - $0.value < withdrawAfter } }
  }

  /// Notes that a name is missing.
  ///
  /// - Parameter known: The number of all known names, including missing names.
  mutating func miss(_ name: Key, known: Int, now: Int64, withdrawAfter: Int64) {
    if since[name] != nil { return }
    since[name] = now
    if loss == nil {
      forgetOld(now: now, withdrawAfter: withdrawAfter)
      loss = Loss(start: now, known: known - young.count, young: Set(young.keys), last: now)
    }
    loss?.note(name, now: now)
  }

  /// Notes that a name is there.
  mutating func find(_ name: Key, now: Int64) {
    guard remove(name), let loss else { return }
    // Somebody is restoring files, perhaps slowly. Even a small loss may have been held, because
    // nothing was left.
    if loss.most >= FolderGuard.fewestNames || loss.returned != .min { self.loss?.returned = now }
    if since.isEmpty { self.loss = nil }
  }

  /// Notes that a name was withdrawn.
  mutating func withdraw(_ name: Key) {
    if !young.isEmpty { young[name] = nil }
    guard remove(name), let loss else { return }
    if loss.counts(name) { self.loss?.withdrawn += 1 }
    if since.isEmpty { self.loss = nil }
  }

  /// Restarts the waiting time of all missing names.
  mutating func restart(now: Int64) { loss?.returned = now }

  private mutating func remove(_ name: Key) -> Bool {
    guard !since.isEmpty, since.removeValue(forKey: name) != nil else { return false }
    if loss?.counts(name) == true { loss?.missing -= 1 }
    return true
  }

  /// The number of lost names, and of names that could be lost.
  var size: (lost: Int, known: Int) {
    guard let loss else { return (0, 0) }
    let lost = loss.missing + loss.withdrawn
    return (lost, max(lost, loss.known))
  }

  /// Whether more than half of all names are lost.
  var isLarge: Bool {
    let (lost, known) = size
    return FolderGuard.isLarge(lost, of: known)
  }

  /// Whether the loss was large at any time since it began.
  var wasLarge: Bool {
    guard let loss else { return false }
    return FolderGuard.isLarge(loss.most, of: max(loss.most, loss.known))
  }

  /// When the first name may be withdrawn; nil if none is missing.
  func next(withdrawAfter: Int64) -> Int64? {
    since.values.min().map { due(since: $0, withdrawAfter: withdrawAfter) }
  }

  /// Returns the names that may be withdrawn.
  func overdue(now: Int64, withdrawAfter: Int64) -> [Key] {
    since.filter { now >= due(since: $0.value, withdrawAfter: withdrawAfter) }.map(\.key)
  }

  /// Nothing is withdrawn while a loss grows, so that a slow removal of everything is noticed.
  private func due(since: Int64, withdrawAfter: Int64) -> Int64 {
    guard let loss else { return since + withdrawAfter }
    let time = max(since, loss.returned) + withdrawAfter
    if loss.most < FolderGuard.fewestNames { return time }
    let end = loss.start + Self.longestLoss * withdrawAfter
    return max(time, min(loss.last + withdrawAfter, end))
  }
}
