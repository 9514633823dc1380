/// The names of a folder or of a list: which of them are missing, and whether their loss is held.
/// This is the only place that decides that a name is withdrawn.
///
/// A loss is measured against the *reference*: the names that were there when none of them had been
/// missing for a minute. If more than half of a reference of four or more is lost, its missing
/// names stay until all of them are back or an operator confirms the loss. Every other name is
/// withdrawn when it has been missing for `withdrawAfter`.
///
/// It reads no clock and no file. All times are milliseconds of the monotonic clock.
struct Names<Key: Hashable & Sendable>: Sendable {
  /// The missing names, and since when.
  private(set) var missing: [Key: Int64] = [:]
  /// The names that are not in the reference, because they came later, and when they came.
  private var recent: [Key: Int64] = [:]
  /// The names of the reference that were withdrawn, and whether nothing is left of them.
  private var withdrawn: [Key: Bool] = [:]
  /// The names of the reference that have been missing since it was taken.
  private var missed: Set<Key> = []
  /// The number of missing names of the reference.
  private var lost = 0
  /// When a name of the reference last went missing for the first time.
  private var lastMissed = Self.never
  /// When names last counted again. What is missing has time again from then.
  private var restarted = Self.never
  /// Since when no name of the reference has been missing.
  private var quietSince = Self.never
  private var renewed = Self.never
  /// The names that the last run knew, until the folder is read for the first time.
  private(set) var ofLastRun: Set<Key> = []
  /// The missing names that the last run knew and this run has never found.
  private(set) var unseen: Set<Key> = []
  /// The names whose loss is held; nil if none is.
  private(set) var held: HoldNames?
  /// Whether the loss is held because of its size.
  private var isLarge = false
  /// Whether everything is held.
  private var isAllHeld = false

  /// The folder or list of the names, for the ID of a hold.
  private let subject: String
  private let naming: @Sendable (Key) -> String

  private static var never: Int64 { .min / 2 }
  /// The reference is taken again when none of its names has been missing for this long.
  private static var quietTime: Int64 { 60_000 }
  /// A name must have been there for this long to be in the reference, or for `withdrawAfter` if
  /// that is longer. So a name that appears together with a loss does not make it look smaller.
  private static var youth: Int64 { 1_000 }

  init(of subject: String, naming: @escaping @Sendable (Key) -> String) {
    self.subject = subject
    self.naming = naming
  }

  func isMissing(_ name: Key) -> Bool { !missing.isEmpty && missing[name] != nil }

  // MARK: Restarts

  /// Notes the names that the last run knew, and the names whose loss it held.
  mutating func remember(_ known: Set<Key>, held: Set<Key>, at now: Int64) {
    ofLastRun = known
    keep(held, at: now)
  }

  mutating func forgetLastRun() { ofLastRun = [] }

  /// Compares the first names found with the names of the last run. If more than half are missing,
  /// holds their loss. Returns the held names, and forgets all other missing names.
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

  // MARK: Observations

  /// Notes a name that came after the start. Later losses are compared with the names at the start.
  mutating func add(_ name: Key, at now: Int64, withdrawAfter: Int64) {
    if withdrawn.removeValue(forKey: name) != nil || isMissing(name) { return }
    recent[name] = now
    // Keeps names from piling up.
    if recent.count.isMultiple(of: 1024) { renew(at: now, withdrawAfter) }
  }

  /// Notes that a name is present, or that its presence is unknown.
  ///
  /// - Parameter isSeen: Whether it was seen. A name that this run has never found stays missing
  ///   until then.
  mutating func find(_ name: Key, isSeen: Bool = true, at now: Int64) {
    if missing.isEmpty || !isSeen && unseen.contains(name) { return }
    guard missing.removeValue(forKey: name) != nil else { return }
    unseen.remove(name)
    if recent[name] == nil { countBack(at: now) }
  }

  /// Notes that a name is missing, or more of it than before.
  mutating func miss(_ name: Key, isMore: Bool = false, at now: Int64, withdrawAfter: Int64) {
    if missing[name] != nil && !isMore { return }
    renew(at: now, withdrawAfter)
    let isNew = missing.updateValue(now, forKey: name) == nil
    if recent[name] != nil { return }
    if isNew { lost += 1 }
    // Only once, so that a name that comes and goes delays no other.
    if missed.insert(name).inserted { lastMissed = now }
  }

  /// Notes that a name was withdrawn.
  ///
  /// - Parameter isWhole: Whether nothing is left of it.
  mutating func withdraw(_ name: Key, isWhole: Bool = true, at now: Int64) {
    unseen.remove(name)
    let wasMissing = missing.removeValue(forKey: name) != nil
    if recent.removeValue(forKey: name) != nil { return }
    if wasMissing { countBack(at: now) }
    withdrawn[name] = isWhole || withdrawn[name] == true
  }

  private mutating func countBack(at now: Int64) {
    lost -= 1
    if lost == 0 { quietSince = now }
  }

  /// Restarts the time of every missing name, because the name may have been present unseen.
  mutating func restart(at now: Int64) { restarted = now }

  /// Takes the reference again if it has been quiet for long enough.
  private mutating func renew(at now: Int64, _ withdrawAfter: Int64) {
    guard lost == 0, now != renewed, now - quietSince >= Self.quietTime else { return }
    renewed = now
    let age = max(withdrawAfter, Self.youth)
    recent = recent.filter { missing[$0.key] != nil || now - $0.value < age }
    (withdrawn, missed) = ([:], [])
  }

  // MARK: Decisions

  /// The number of lost names of the reference, and of all its names.
  ///
  /// - Parameter known: The number of all names that are there or missing.
  func size(known: Int) -> (lost: Int, of: Int) {
    let lost = lost + withdrawn.count
    return (lost, max(lost, known - recent.count + withdrawn.values.count { $0 }))
  }

  /// Decides which names are withdrawn now, and whether the loss of the others is held.
  ///
  /// - Parameters:
  ///   - known: See `size`.
  ///   - holdsAll: Whether nothing may be withdrawn, because everything is missing.
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

  /// Returns when the next name may be withdrawn; nil if none is missing, or only held ones are.
  func next(withdrawAfter: Int64) -> Int64? {
    if missing.isEmpty || isAllHeld || held != nil && missing.count == lost { return nil }
    return missing.keys.lazy.filter { held == nil || recent[$0] != nil }
      .map { due($0, withdrawAfter) }.min()
  }

  /// The names of the reference are withdrawn together, when the last of them has been missing for
  /// long enough. So a slow removal of everything is noticed.
  private func due(_ name: Key, _ withdrawAfter: Int64) -> Int64 {
    let since = max(missing[name] ?? 0, restarted)
    return (recent[name] == nil ? max(since, lastMissed) : since) + withdrawAfter
  }

  // MARK: Holding

  private mutating func cover(_ names: some Sequence<Key>) {
    let names = Set(names.map(naming))
    if held == nil { held = HoldNames(subject, names) } else { held?.cover(names) }
  }

  private mutating func release() { (held, isLarge, isAllHeld) = (nil, false, false) }

  /// Ends the hold after a confirmed loss was withdrawn. What was lost before is no part of the
  /// next loss.
  mutating func endHold() {
    release()
    (withdrawn, missed) = ([:], Set(missing.keys))
  }
}
