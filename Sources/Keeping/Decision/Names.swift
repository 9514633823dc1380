/// The names in a folder or in a list of hosts. Only this type decides which missing names are
/// withdrawn, and which missing names an operator must confirm first.
///
/// A loss is measured against the *reference set*, a set of existing names. A new reference set is
/// taken after a minute in which no name of the old set was missing. If the reference set has at
/// least four names and more than half of them are lost, the loss is *held*: the missing names of
/// the set are served until all of them are back or an operator confirms the loss. Otherwise, the
/// missing names of the set are withdrawn together, after `withdrawAfter` in which no further name
/// of the set went missing or came back. Until no name of the set is missing, each name counts once
/// as missing and once as back. Every other missing name is withdrawn after `withdrawAfter`.
///
/// This type reads no clock and no file. All times are milliseconds of the monotonic clock.
struct Names<Key: Hashable & Sendable>: Sendable {
  /// The missing names, each with the time when it went missing.
  private(set) var missing: [Key: Int64] = [:]
  /// The names that were added after the reference set was taken. The value is the time when the
  /// name was added.
  private var recent: [Key: Int64] = [:]
  /// The names of the reference set that were withdrawn. The value is whether all files of the name
  /// were withdrawn.
  private var withdrawn: [Key: Bool] = [:]
  /// The names of the reference set that went missing since the last time that none was missing.
  private var missed: Set<Key> = []
  /// The names of the reference set that came back since the last time that none was missing.
  private var returned: Set<Key> = []
  /// The number of names of the reference set that are missing now.
  private var lost = 0
  /// The time at which the latest name was added to `missed` or `returned`.
  private var lastChange = Self.never
  /// The time of the last call of `restart`. The waiting time of a missing name starts at this time
  /// or later.
  private var restarted = Self.never
  /// The time at which the last missing name of the reference set came back or was withdrawn.
  private var quietSince = Self.never
  private var renewed = Self.never
  /// The names that the last run found; empty after the first read of the folder.
  private(set) var ofLastRun: Set<Key> = []
  /// The missing names that the last run found, but this run has never found.
  private(set) var unseen: Set<Key> = []
  /// The names whose loss awaits confirmation; nil if no loss awaits confirmation.
  private(set) var held: HoldNames?
  /// Whether the loss awaits confirmation because of its size.
  private var isLarge = false
  /// Whether the loss of all names awaits confirmation.
  private var isAllHeld = false

  /// The path of the folder or list that contains the names, for the ID of a hold.
  private let subject: String
  private let naming: @Sendable (Key) -> String

  private static var never: Int64 { .min / 2 }
  /// A new reference set is taken after this many milliseconds in which no name of the old set was
  /// missing.
  private static var quietTime: Int64 { 60_000 }
  /// The minimum age of a name in a new reference set, in milliseconds, unless `withdrawAfter` is
  /// longer. Names that appear during a loss must not make the loss look smaller.
  private static var youth: Int64 { 1_000 }

  init(of subject: String, naming: @escaping @Sendable (Key) -> String) {
    self.subject = subject
    self.naming = naming
  }

  func isMissing(_ name: Key) -> Bool { !missing.isEmpty && missing[name] != nil }

  // MARK: Names of the last run

  /// Stores the names that the last run found. `held` are the missing names whose loss awaited
  /// confirmation when the last run ended.
  mutating func remember(_ known: Set<Key>, held: Set<Key>, at now: Int64) {
    ofLastRun = known
    keep(held, at: now)
  }

  mutating func forgetLastRun() { ofLastRun = [] }

  /// Compares the names that the first listing found with the names of the last run. If so many
  /// names are missing that the loss is large (see `FolderGuard.isLarge`), an operator must confirm
  /// the loss, and the function returns the missing names. Otherwise, it forgets the missing names.
  mutating func begin(at now: Int64, isFound: (Key) -> Bool) -> Set<Key> {
    let known = ofLastRun
    ofLastRun = []
    let lost = known.filter { !isFound($0) }
    if !FolderGuard.isLarge(lost.count, of: known.count) { return [] }
    keep(lost, at: now)
    return lost
  }

  private mutating func keep(_ names: Set<Key>, at now: Int64) {
    if names.isEmpty { return }
    for name in names where missing.updateValue(now, forKey: name) == nil { lost += 1 }
    unseen.formUnion(names)
    missed.formUnion(names)
    isLarge = true
    cover(missing.keys)
  }

  // MARK: Present and missing names

  /// Stores a name that was added after the start. The name is not in the reference set until the
  /// next reference set is taken.
  mutating func add(_ name: Key, at now: Int64, withdrawAfter: Int64) {
    if withdrawn.removeValue(forKey: name) != nil || isMissing(name) { return }
    recent[name] = now
    // Take a new reference set from time to time, so that `recent` does not grow without limit.
    if recent.count.isMultiple(of: 1024) { renew(at: now, withdrawAfter) }
  }

  /// Stores that a name is present or may be present.
  ///
  /// - Parameter isSeen: Whether the name was found; false if it is unknown whether the name
  ///   exists. A name that this run has never found stays missing until it is found.
  mutating func find(_ name: Key, isSeen: Bool = true, at now: Int64) {
    if missing.isEmpty || !isSeen && unseen.contains(name) { return }
    guard missing.removeValue(forKey: name) != nil else { return }
    unseen.remove(name)
    if recent[name] != nil { return }
    // If most names disappeared, and a slow copy is bringing them back, the rest will follow.
    if returned.insert(name).inserted { lastChange = now }
    countBack(at: now)
  }

  /// Stores that a name is missing, or that more of its files are missing than before.
  mutating func miss(_ name: Key, isMore: Bool = false, at now: Int64, withdrawAfter: Int64) {
    if missing[name] != nil && !isMore { return }
    renew(at: now, withdrawAfter)
    let isNew = missing.updateValue(now, forKey: name) == nil
    if recent[name] != nil { return }
    if isNew { lost += 1 }
    // Set `lastChange` only once for each name. Otherwise, a name that keeps disappearing would
    // delay the withdrawal of the other names.
    if missed.insert(name).inserted { lastChange = now }
  }

  /// Stores that a name was withdrawn.
  ///
  /// - Parameter isWhole: Whether all files of the name were withdrawn.
  mutating func withdraw(_ name: Key, isWhole: Bool = true, at now: Int64) {
    unseen.remove(name)
    let wasMissing = missing.removeValue(forKey: name) != nil
    if recent.removeValue(forKey: name) != nil { return }
    if wasMissing { countBack(at: now) }
    withdrawn[name] = isWhole || withdrawn[name] == true
  }

  private mutating func countBack(at now: Int64) {
    lost -= 1
    if lost == 0 { (quietSince, missed, returned) = (now, [], []) }
  }

  /// Restarts the waiting time of every missing name, because the names may have been present while
  /// the folder or list could not be read.
  mutating func restart(at now: Int64) { restarted = now }

  /// Takes a new reference set if no name of the old set has been missing for `quietTime`.
  private mutating func renew(at now: Int64, _ withdrawAfter: Int64) {
    guard lost == 0, now != renewed, now - quietSince >= Self.quietTime else { return }
    renewed = now
    let age = max(withdrawAfter, Self.youth)
    recent = recent.filter { missing[$0.key] != nil || now - $0.value < age }
    withdrawn = [:]
  }

  // MARK: Decisions about missing names

  /// Returns how many names of the reference set are lost, and how many names the set has.
  ///
  /// - Parameter known: The number of all names, present and missing.
  func size(known: Int) -> (lost: Int, of: Int) {
    let lost = lost + withdrawn.count
    return (lost, max(lost, known - recent.count + withdrawn.values.count { $0 }))
  }

  /// Returns the names to withdraw now. Decides whether an operator must confirm the loss of the
  /// other missing names.
  ///
  /// - Parameters:
  ///   - known: The number of all names, present and missing.
  ///   - holdsAll: Whether all names are missing. If true, no name is withdrawn.
  mutating func decide(
    known: Int, holdsAll: Bool = false, at now: Int64, withdrawAfter: Int64
  ) -> [Key] {
    if lost == 0 && !holdsAll || missing.isEmpty { release() }
    if missing.isEmpty { return [] }
    let overdue = missing.keys.filter { due($0, withdrawAfter) <= now }
    let size = size(known: known)
    isLarge = FolderGuard.isLarge(size.lost, of: size.of) || held != nil && isLarge
    if held != nil, !isLarge, !holdsAll {
      release()
      restarted = now
      return []
    }
    if held == nil && (overdue.isEmpty || !isLarge && !holdsAll) { return overdue }
    isAllHeld = holdsAll
    cover(holdsAll ? Array(missing.keys) : missing.keys.filter { recent[$0] == nil })
    return holdsAll ? [] : overdue.filter { recent[$0] != nil }
  }

  /// Returns when the next name may be withdrawn. Returns nil if no name is missing, or if the loss
  /// of every missing name awaits confirmation.
  func next(withdrawAfter: Int64) -> Int64? {
    if missing.isEmpty || isAllHeld || held != nil && missing.count == lost { return nil }
    return missing.keys.lazy.filter { held == nil || recent[$0] != nil }
      .map { due($0, withdrawAfter) }.min()
  }

  /// Returns when a name may be withdrawn. The missing names of the reference set are withdrawn
  /// together. Otherwise, the server would not notice that all names are being removed slowly.
  private func due(_ name: Key, _ withdrawAfter: Int64) -> Int64 {
    let since = max(missing[name] ?? 0, restarted)
    return (recent[name] == nil ? max(since, lastChange) : since) + withdrawAfter
  }

  // MARK: Holding a loss

  private mutating func cover(_ names: some Sequence<Key>) {
    let names = Set(names.map(naming))
    if held == nil { held = HoldNames(subject, names) } else { held?.cover(names) }
  }

  private mutating func release() { (held, isLarge, isAllHeld) = (nil, false, false) }

  /// Ends the hold after a confirmed loss was withdrawn. The names that are lost now are not part
  /// of a later loss.
  mutating func endHold() {
    release()
    withdrawn = [:]
  }
}
