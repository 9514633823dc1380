internal import Catalog
internal import Diagnostics
internal import Posix

/// A folder whose names are kept: whether it can be trusted, which names are missing from it, and
/// what was reported about it. Domains and certificates are kept by the same rules.
struct KeptFolder<Key: Hashable & Sendable> {
  /// The kind of its content, such as `domains`, for messages. It is also the name of the setting.
  let what: String
  /// The kinds of diagnostics about missing names, and about the folder itself.
  let kinds: (names: Kind, folder: Kind)
  let path: String
  /// The name of a key, for its hold.
  private let naming: (Key) -> String
  /// Reads the folder, which may not answer.
  private let work: PatientWork
  private(set) var guarding = FolderGuard()
  private(set) var absence = Absence<Key>()
  /// Whether an operator can confirm its holds.
  var canConfirm = true
  /// The names that the last run knew and this run has not found.
  var before = NamesOfBefore<Key>()
  /// The identity of the folder when it was last listed; nil if it cannot be trusted now.
  var identity: FileStatus?
  /// Whether the folder could ever be read, so that its names were known.
  private(set) var wasRead = false
  /// Whether the folder has been missing or unexpectedly empty since the start.
  private var isAwaited = false
  /// Whether the folder changed while it was listed, so that it must be listed again.
  var isUnsettled = false
  /// Why changes are held back; nil if they are not.
  private(set) var held: FolderGuard.Reason?
  /// The diagnostic that was reported for that reason.
  private(set) var heldDiagnostic: Diagnostic?
  /// The names that would be lost if nothing were held; nil if that cannot be confirmed.
  private var lost: HoldNames?
  /// The names whose removal an operator is confirming as intended; nil if none.
  private var confirmed: HoldNames?
  /// When a withdrawal was last tried.
  private var lastAttempt = Int64.min / 2
  /// The faults of single names, as last reported.
  private var nameDiagnostics: [Diagnostic] = []
  /// When a fault of a name was first found, by the fault's report mark.
  private var firstSeen: [Int: Int64] = [:]

  init(
    _ what: String, kinds: (names: Kind, folder: Kind), at path: String,
    naming: @escaping (Key) -> String, work: PatientWork = PatientWork()
  ) {
    self.naming = naming
    self.work = work
    self.what = what
    self.kinds = kinds
    self.path = path
  }

  // MARK: The folder as a whole

  /// The result of reading the folder as a whole.
  enum Look<Content> {
    case trusted(Content)
    /// The folder is missing, and so is every name.
    case missing
    /// The folder cannot be trusted, so changes are held back. Contains the diagnostics to report.
    case doubted([Diagnostic])

    /// The outcome of a scan that ends here.
    var outcome: Outcome {
      if case .doubted(let faults) = self { Outcome(heldFor: faults) } else { Outcome() }
    }
  }

  /// Decides whether the folder can be trusted, from the result of reading it as a whole.
  ///
  /// - Parameters:
  ///   - known: The number of known names.
  ///   - names: The names that are missing if the folder is missing.
  ///   - isExpected: Whether a missing folder is a fault even if nothing was ever served from it.
  ///   - lost: Returns the known names that are missing from the content.
  ///   - describe: Returns the device of a content, and whether it is empty.
  mutating func look<Content>(
    _ result: Result<Content, SystemError>, known: Int, _ names: @autoclosure () -> [Key],
    isExpected: Bool, _ time: Circumstances, lost: (Content) -> [Key],
    describe: (Content) -> (device: UInt64, isEmpty: Bool)
  ) -> Look<Content> {
    var observation = FolderGuard.Observation.missing
    var failure: SystemError?
    switch result {
    case .success(let content):
      let found = describe(content)
      observation = .readable(device: found.device, isEmpty: found.isEmpty)
    case .failure(let error):
      failure = error
      if !error.isNotFound { observation = .unreadable }
    }
    if let doubt = guarding.distrust(observation, known: known, isConfirmed: isConfirmed) {
      var losing = known == 0 ? [] : Set(names().map(naming))
      if case .success(let content) = result {
        losing = Set(lost(content).map(naming)).union(["device \(describe(content).device)"])
      }
      return .doubted(hold(doubt, failure, losing: losing))
    }
    if isDistrusted {
      trust()
      absence.restart(now: time.now)
    }
    if case .success(let content) = result {
      if let empty = unexpectedlyEmpty(describe(content).isEmpty) { return .doubted(empty) }
      if known == 0 || !wasRead { release() }
      (wasRead, isAwaited) = (true, false)
      return .trusted(content)
    }
    if isExpected, known == 0 || !wasRead {
      isAwaited = true
      return .doubted(hold(.missing, failure, losing: []))
    }
    for name in names() {
      absence.miss(name, known: known, now: time.now, withdrawAfter: time.youth)
    }
    return .missing
  }

  /// Treats a folder that is empty at the start as not mounted yet, if the last run knew names in
  /// it. Returns the diagnostics to report; nil if the folder may be empty.
  private mutating func unexpectedlyEmpty(_ isEmpty: Bool) -> [Diagnostic]? {
    if isConfirmed { before.forget() }
    if wasRead || !isEmpty || before.known.isEmpty { return nil }
    isAwaited = true
    let found = hold(.empty, nil, losing: Set(before.known.map(naming)))
    let note = "what was kept is served; every other host gets 503"
    heldDiagnostic?.note = note
    return found.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.note = note
      return diagnostic
    }
  }

  /// Whether the folder cannot be trusted, because it cannot be read or was replaced.
  var isDistrusted: Bool { held == .unreadable || held == .otherDevice }

  /// Whether an operator is confirming that missing files were removed on purpose.
  var isConfirmed: Bool { confirmed != nil }

  /// Whether nothing is known about single names, because the folder cannot be trusted or was never
  /// read.
  var isUnknown: Bool { isDistrusted || !wasRead }

  // MARK: Names from before the start

  /// Notes the names that the last run knew, and the names that it held.
  mutating func take(known: Set<Key> = [], held: Set<Key>) {
    before.remember(known)
    if !held.isEmpty { before.hold(held, in: path, naming: naming) }
  }

  /// Compares the first names found with those of the last run. If more than half are missing,
  /// holds them. Returns the held names.
  mutating func begin(isFound: (Key) -> Bool) -> Set<Key> {
    let lost = before.known.filter { !isFound($0) }
    defer { before.forget() }
    if guarding.reason(missing: lost.count, known: before.known.count) == nil { return [] }
    before.hold(lost, in: path, naming: naming)
    return lost
  }

  var holdOfBefore: Hold? { before.hold(of: what, kinds.names, in: path, canConfirm) }

  /// All holds that an operator can confirm.
  var holds: [Hold] { [hold, holdOfBefore].compactMap(\.self) }

  // MARK: Single names

  /// Notes that a name became known. Names found at a start count as old.
  mutating func add(_ name: Key, _ time: Circumstances) {
    absence.add(name, now: time.now, withdrawAfter: time.youth)
  }

  /// Notes that a name is missing. A name that was held before the start waits for its
  /// confirmation, and is not a new loss.
  mutating func miss(_ name: Key, known: Int, _ time: Circumstances) {
    if before.isMissing(name) { return }
    absence.miss(name, known: known, now: time.now, withdrawAfter: time.youth)
  }

  /// Notes that a name is there, or may be.
  ///
  /// - Parameter isSeen: Whether it was seen. If not, a name from before the start stays held.
  mutating func find(_ name: Key, isSeen: Bool = true, now: Int64) {
    absence.find(name, now: now)
    if isSeen { before.find(name) }
  }

  mutating func withdraw(_ name: Key) {
    absence.withdraw(name)
    before.find(name)
  }

  /// Chooses the faults of names to report: each one once, and no transient faults, such as a key
  /// whose chain is being replaced.
  ///
  /// - Parameters:
  ///   - sure: Faults that do not pass by themselves.
  ///   - isStart: Whether nothing was known before, so that all are reported.
  /// - Returns: When to check again, in milliseconds of the monotonic clock, if some faults are too
  ///   young.
  mutating func report(
    _ found: [Diagnostic], sure: [Diagnostic] = [], isStart: Bool, now: Int64
  ) -> (new: [Diagnostic], again: Int64?) {
    let (before, reported) = (firstSeen, nameDiagnostics)
    firstSeen = [:]
    nameDiagnostics = sure
    var again: Int64?
    for diagnostic in found {
      let mark = reportMark([diagnostic])
      let since = before[mark] ?? now
      firstSeen[mark] = since
      let due = since + ObservationLimits.lastingFault
      if isStart || due <= now || reported.contains(diagnostic) {
        nameDiagnostics.append(diagnostic)
      } else {
        again = min(again ?? due, due)
      }
    }
    return (nameDiagnostics.filter { !reported.contains($0) }, again)
  }

  // MARK: Withdrawal

  /// The names that may be withdrawn now.
  enum Withdrawal {
    case names([Key])
    /// Withdrawals are held back. Contains the diagnostics to report.
    case held([Diagnostic])
  }

  /// Returns when the next missing name may be withdrawn, in milliseconds of the monotonic clock;
  /// nil if none is missing, or if withdrawals are held back.
  func nextWithdrawal(withdrawAfter: Int64) -> Int64? {
    guard held == nil || isConfirmed, let first = absence.next(withdrawAfter: withdrawAfter)
    else { return nil }
    // If a file is being written, the withdrawal is postponed and the next attempt waits.
    return max(first, lastAttempt + ObservationLimits.settlingTime)
  }

  /// Whether a name has been missing for long enough.
  mutating func isWithdrawalDue(_ time: Circumstances) -> Bool {
    lastAttempt = time.now
    return !overdue(time).isEmpty
  }

  private func overdue(_ time: Circumstances) -> [Key] {
    absence.overdue(now: time.now, withdrawAfter: time.withdrawAfter)
  }

  /// Decides which names may be withdrawn. A hold ends as soon as nothing is missing, or an
  /// operator confirms it.
  ///
  /// - Parameter isLast: Whether nothing would be left.
  mutating func withdrawal(
    known: Int, isLast: Bool = false, _ time: Circumstances
  ) -> Withdrawal {
    // If the folder has been missing since the start, none of its files counts as missing.
    if isDistrusted || isAwaited || known == 0 && guarding.observation == .missing {
      return .names([])
    }
    if absence.isEmpty {
      release()
      return .names([])
    }
    let overdue = overdue(time)
    let size = absence.size
    let (count, all) = (max(size.lost, 1), max(size.lost, size.known, 1))
    var reason = guarding.reason(missing: count, known: all)
    // A large loss stays held until nothing is missing.
    if reason == nil, isLast || held != nil && absence.wasLarge {
      reason = .mostMissing(count, of: all)
    }
    // Names that have disappeared since are a separate loss.
    if let confirmed { return .names(overdue.filter { confirmed.contains(naming($0)) }) }
    guard let reason else {
      if held == nil { return .names(overdue) }
      absence.restart(now: time.now)
      release()
      return .names([])
    }
    if overdue.isEmpty && held == nil { return .names([]) }
    return .held(hold(reason, nil, losing: known == 0 ? [] : Set(absence.names.map(naming))))
  }

  // MARK: Holding

  /// Holds changes back. Returns the diagnostic if it is new.
  ///
  /// - Parameter names: The names that would be lost; empty if nothing was ever served from the
  ///   folder.
  mutating func hold(
    _ reason: FolderGuard.Reason, _ error: SystemError?, losing names: Set<String>
  ) -> [Diagnostic] {
    var kind = kinds.folder
    if case .mostMissing = reason { kind = kinds.names }
    if names.isEmpty || reason == .unreadable {
      lost = nil
    } else if held?.isSameKind(as: reason) == true, lost != nil {
      lost?.cover(names)
    } else {
      lost = HoldNames("\(reason == .otherDevice) \(path)", names)
    }
    let (what, path, id) = (what, path, lost?.id)
    let found = work.result(path) { [kind, canConfirm] in
      (
        reason.diagnostic(what, kind, at: path, error: error, id: id, canConfirm: canConfirm),
        isThere: (try? status(path)) != nil
      )
    }
    var diagnostic =
      found?.0
      // The file system does not answer, for which there is a separate message.
      ?? Diagnostic(kind, "the \(what) folder cannot be read", at: .init(path: path)).withoutHelp
    if names.isEmpty {
      diagnostic.note = nil
      if reason == .missing, found?.isThere == false {
        diagnostic.help = "make it, or name another with --\(what)"
      }
    }
    let isNew = held?.isSameKind(as: reason) != true
    held = reason
    heldDiagnostic = diagnostic
    return isNew ? [diagnostic] : []
  }

  /// Ends the hold, so that changes count again.
  mutating func release() {
    trust()
    confirmed = nil
  }

  /// Notes that the folder can be trusted again. A confirmation about missing names still holds.
  private mutating func trust() {
    held = nil
    heldDiagnostic = nil
    lost = nil
  }

  /// The hold that an operator can confirm; nil if there is none.
  var hold: Hold? {
    guard let lost, let heldDiagnostic else { return nil }
    return Hold(id: lost.id, fault: heldDiagnostic)
  }

  /// Applies a loss with one of these IDs at the next scan. Returns its ID; nil if none of them is
  /// held now.
  mutating func confirm(_ ids: Set<String>) -> String? {
    guard let lost, let hold, ids.contains(hold.id) else { return nil }
    confirmed = lost
    return hold.id
  }
}
