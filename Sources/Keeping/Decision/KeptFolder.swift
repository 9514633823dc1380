internal import Diagnostics
internal import Posix

/// The state of a folder as a whole: whether the folder can be trusted, which names are missing,
/// and what was reported about the folder and its names. The same rules apply to domains and
/// certificates.
///
/// This type reads no clock and no file.
struct KeptFolder<Key: Hashable & Sendable> {
  /// What the folder contains, for messages, such as `domains`. The setting for the folder's path
  /// has the same name.
  let what: String
  /// The kinds of diagnostics about missing names, and about the folder itself.
  let kinds: (names: Kind, folder: Kind)
  let path: String
  /// Returns a key as text. `HoldNames` computes the ID of a hold from such texts.
  private let naming: @Sendable (Key) -> String
  private(set) var guarding = FolderGuard()
  var names: Names<Key>
  /// Whether there is a state folder in which an operator can confirm the folder's holds.
  private let canConfirm: Bool
  /// The status of the folder at its last listing; nil if the folder cannot be trusted now.
  var identity: FileStatus?
  /// Whether the folder was read at least once since the start, so that its names are known.
  private(set) var wasRead = false
  /// Whether nothing is withdrawn until the folder comes back. This applies if an expected folder is
  /// missing, and either was never read in this run or serves no names. It also applies if the
  /// folder is empty at the start although the last run found names in it.
  private var isAwaited = false
  /// Whether the folder may have changed during its listing, so that it must be listed again.
  var isUnsettled = false
  /// If the folder is missing, the reason why it could not be listed; otherwise nil.
  private var failure: FolderFailure?
  /// Why the folder's changes do not take effect now; nil if they take effect.
  private(set) var held: FolderGuard.Reason?
  /// The diagnostic of the current hold.
  private(set) var heldDiagnostic: Diagnostic?
  /// The names that would be lost if the server now trusted the folder. Nil if there are no such
  /// names, or if an operator cannot confirm their loss.
  private var doubted: HoldNames?
  /// The names whose loss an operator has confirmed, until the loss takes effect; nil if there are
  /// none.
  private var confirmed: HoldNames?
  /// The time of the last attempt to withdraw names.
  private var lastAttempt = Int64.min / 2
  /// The faults of single names, as last reported.
  private var nameDiagnostics: [Diagnostic] = []
  /// For each fault of a name, the time at which the fault was first found. The key is the hash of
  /// the fault; see `reportMark`.
  private var firstSeen: [Int: Int64] = [:]

  init(
    _ what: String, kinds: (names: Kind, folder: Kind), at path: String, canConfirm: Bool = true,
    naming: @escaping @Sendable (Key) -> String
  ) {
    (self.what, self.kinds, self.path) = (what, kinds, path)
    (self.canConfirm, self.naming) = (canConfirm, naming)
    names = Names(of: path, naming: naming)
  }

  // MARK: The folder as a whole

  /// The result of reading the folder as a whole.
  enum Trust<Listing> {
    case trusted(Listing)
    /// The folder is missing, so every name is missing too.
    case missing
    /// The folder cannot be trusted, so its changes do not take effect. The value is the
    /// diagnostics to report.
    case doubted([Diagnostic])
  }

  /// Decides whether the folder can be trusted. `result` is a listing of the folder, or the reason
  /// why the folder could not be listed.
  ///
  /// - Parameters:
  ///   - known: The names that are served.
  ///   - isExpected: Whether a missing folder is a fault even if nothing was ever served from it.
  mutating func look<Listing: KeptListing>(
    _ result: Result<Listing, FolderFailure>, known: some Collection<Key>, isExpected: Bool,
    at now: Int64, withdrawAfter: Int64
  ) -> Trust<Listing> where Listing.Key == Key {
    var observation = FolderGuard.Observation.missing
    var failure: FolderFailure?
    switch result {
    case .success(let listing):
      observation = .readable(device: listing.identity.device, isEmpty: listing.isEmpty)
    case .failure(let found):
      failure = found
      if !found.isMissing { observation = .unreadable }
    }
    let isConfirmed = confirmed != nil
    if let reason = guarding.distrust(observation, known: known.count, isConfirmed: isConfirmed) {
      if reason == .otherDevice, case .success(let listing) = result {
        let lost = known.filter { !listing.has($0) }.map(naming)
        doubt(names: Set(lost + ["device \(listing.identity.device)"]))
      } else {
        doubted = nil
      }
      return .doubted(hold(reason, failure))
    }
    if isDistrusted {
      trust()
      names.restart(at: now)
    }
    if case .success(let listing) = result {
      if let empty = unexpectedlyEmpty(listing.isEmpty) { return .doubted(empty) }
      if held != nil, known.isEmpty || !wasRead { release() }
      (wasRead, isAwaited, self.failure) = (true, false, nil)
      return .trusted(listing)
    }
    if isExpected, known.isEmpty || !wasRead {
      isAwaited = true
      return .doubted(hold(.missing, failure, isUsed: false))
    }
    for name in known { names.miss(name, at: now, withdrawAfter: withdrawAfter) }
    self.failure = failure
    return .missing
  }

  /// Holds back changes if the folder is empty at the start although the last run found names in
  /// it. Such a folder is probably not mounted yet. Returns the diagnostics to report; nil if there
  /// is no reason to hold back changes.
  private mutating func unexpectedlyEmpty(_ isEmpty: Bool) -> [Diagnostic]? {
    if confirmed != nil { names.forgetLastRun() }
    if wasRead || !isEmpty || names.ofLastRun.isEmpty { return nil }
    isAwaited = true
    doubt(names: Set(names.ofLastRun.map(naming)))
    return hold(
      .empty, note: "the versions that the last run stored are served; every other host gets 503")
  }

  /// Whether the folder cannot be trusted, because it cannot be read or is on a different file
  /// system.
  var isDistrusted: Bool { held == .unreadable || held == .otherDevice }

  /// Whether it is unknown which names exist, because the folder cannot be trusted or was never
  /// read.
  var isUnknown: Bool { isDistrusted || !wasRead }

  // MARK: Single names

  /// Whether a name must not be withdrawn, because it is unknown whether the name exists, or
  /// because its loss awaits confirmation.
  func isHeld(_ name: Key) -> Bool {
    isUnknown || names.held != nil && names.isMissing(name)
  }

  /// Chooses the faults of names to report. Each fault is reported once. A fault that lasts only
  /// for a moment is not reported; for example, a key has no chain while its chain is being
  /// replaced.
  ///
  /// - Parameters:
  ///   - sure: Faults to report immediately, because they do not go away by themselves.
  ///   - isStart: Whether the server is starting. At the start, all faults are reported.
  /// - Returns: The faults to report now. If any faults are too recent to report, also the time of
  ///   the next check, in milliseconds of the monotonic clock.
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

  /// Returns when the next missing name may be withdrawn, in milliseconds of the monotonic clock.
  /// Returns nil if no name is missing, or if nothing may be withdrawn now.
  func nextWithdrawal(withdrawAfter: Int64) -> Int64? {
    guard !isDistrusted, !isAwaited, let first = names.next(withdrawAfter: withdrawAfter)
    else { return nil }
    // After an attempt, wait for a short time before the next attempt. If a file was being written,
    // its withdrawal must be tried again.
    return max(first, lastAttempt + ObservationLimits.settlingTime)
  }

  /// Stores the time of an attempt to withdraw names. Returns whether a name has been missing for
  /// long enough to be withdrawn.
  mutating func isWithdrawalDue(at now: Int64, withdrawAfter: Int64) -> Bool {
    lastAttempt = now
    return names.next(withdrawAfter: withdrawAfter).map { $0 <= now } ?? false
  }

  /// Returns the names that may be withdrawn now. If a loss awaits confirmation, also returns the
  /// diagnostics to report about it. A hold ends when its names are no longer missing, or when an
  /// operator confirms the loss.
  ///
  /// - Parameters:
  ///   - known: The number of names that are served.
  ///   - isLast: Whether nothing would be left to serve if all missing names were withdrawn.
  mutating func withdrawal(
    known: Int, isLast: Bool = false, at now: Int64, withdrawAfter: Int64
  ) -> (names: [Key], faults: [Diagnostic]?) {
    let absence = guarding.absence
    // Withdraw nothing if the folder cannot be trusted. Also withdraw nothing if the folder is
    // missing and nothing was served from it.
    if isDistrusted || isAwaited || known == 0 && absence == .missing && names.held == nil {
      return ([], nil)
    }
    if let confirmed {
      // Withdraw only the confirmed names. Names that disappeared after the confirmation are a
      // separate loss.
      return (names.missing.keys.filter { confirmed.contains(naming($0)) }, nil)
    }
    let due = names.decide(
      known: known, holdsAll: absence != nil || isLast, at: now, withdrawAfter: withdrawAfter)
    if names.held == nil {
      if held != nil { release() }
      return (due, nil)
    }
    let size = names.size(known: known)
    let reason = absence ?? .mostMissing(max(size.lost, 1), of: max(size.of, 1))
    // If this run has never found some of the names, it serves their stored versions.
    let note = names.unseen.isEmpty ? nil : "the versions that the last run stored are served"
    return (due, hold(reason, failure, note: note))
  }

  // MARK: Holding back changes

  private mutating func doubt(names: Set<String>) {
    if doubted == nil {
      doubted = HoldNames("folder \(path)", names)
    } else {
      doubted?.cover(names)
    }
  }

  /// Holds back the folder's changes. Returns the diagnostic to report; empty if the changes were
  /// already held back for a reason of the same kind.
  ///
  /// - Parameter isUsed: Whether anything was ever served from the folder.
  private mutating func hold(
    _ reason: FolderGuard.Reason, _ failure: FolderFailure? = nil, isUsed: Bool = true,
    note: String? = nil
  ) -> [Diagnostic] {
    var kind = kinds.folder
    if case .mostMissing = reason { kind = kinds.names }
    let id = isUsed ? holdNames?.id : nil
    var diagnostic = reason.diagnostic(
      what, kind, at: path, failure, id: id, canConfirm: canConfirm)
    if let note { diagnostic.note = note }
    if !isUsed {
      diagnostic.note = nil
      if reason == .missing, failure?.isFile != true {
        diagnostic.help = "create the folder, or choose another with --\(what)"
      }
    }
    let isNew = held?.isSameKind(as: reason) != true
    held = reason
    heldDiagnostic = diagnostic
    return isNew ? [diagnostic] : []
  }

  /// Ends the hold. Changes in the folder take effect again.
  mutating func release() {
    trust()
    if confirmed != nil { names.endHold() }
    confirmed = nil
  }

  /// Stores that the folder can be trusted again. If a loss of names was confirmed, the
  /// confirmation stays valid.
  private mutating func trust() { (held, heldDiagnostic, doubted) = (nil, nil, nil) }

  private var holdNames: HoldNames? { doubted ?? names.held }

  /// The hold that an operator can confirm; nil if there is none.
  var hold: Hold? {
    guard let heldDiagnostic, let holdNames, held != .unreadable else { return nil }
    return Hold(id: holdNames.id, fault: heldDiagnostic)
  }

  /// If `ids` contains the ID of the folder's hold, confirms the loss and returns the ID; otherwise
  /// returns nil. The next scan withdraws the confirmed names.
  mutating func confirm(_ ids: Set<String>) -> String? {
    guard let hold, ids.contains(hold.id) else { return nil }
    confirmed = holdNames
    return hold.id
  }
}
