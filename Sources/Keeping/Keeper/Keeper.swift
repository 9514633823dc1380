internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// A folder whose entries are kept: which entries exist, what is served from them, and which losses
/// are held.
///
/// It reads no clock and no file, and has no thread: `KeeperRunner` carries out its requests, and
/// returns the results as events.
struct Keeper<Kind: KeptKind> {
  var kind: Kind
  var options: HostingOptions
  let root: String
  var items: [Kind.Key: Kind.Item] = [:]
  var problems = ProblemTable<Kind.Key>()
  var folder: KeptFolder<Kind.Key>
  /// The entries that were listed and not read yet, for example because their file is being written
  /// or a read hangs.
  var unread: [Kind.Key: Kind.Entry] = [:]
  /// The entries that were still changing when they were read last. They exist.
  var unsettled: Set<Kind.Key> = []
  /// What the last run kept, for entries that have not been read yet.
  var kept: [Kind.Key: Kind.Kept] = [:]

  /// Decides what follows from an event.
  mutating func step(_ event: KeepEvent<Kind>, at now: Moment) -> [KeepEffect<Kind>] {
    switch event {
    case .due(let look): due(look)
    case .listed(let result, let look): listed(result, look, at: now)
    case .read(let answers, let look): read(answers, look, at: now)
    case .done(let look): done(look, at: now)
    case .confirmed(let ids): confirmed(ids)
    case .time: passTime(at: now)
    case .idle: Kind.workInBackground(in: &self, at: now)
    }
  }

  // MARK: Looking

  private func due(_ look: Look<Kind.Name>) -> [KeepEffect<Kind>] {
    if !look.isListing, folder.identity != nil,
      let requests = Kind.requests(for: look, in: self)
    {
      return [.read(requests, look)]
    }
    return [.list(look)]
  }

  private mutating func listed(
    _ result: Result<Kind.Listing, FolderFailure>?, _ look: Look<Kind.Name>, at now: Moment
  ) -> [KeepEffect<Kind>] {
    guard let result else { return [.decided(silent(look, at: now))] }
    let isFirst = !folder.wasRead
    folder.identity = nil
    let keys = items.keys
    let trust = folder.look(
      result, known: keys, isExpected: Kind.isExpected(options), at: now.milliseconds,
      withdrawAfter: options.withdrawAfter, lost: { listing in keys.filter { !listing.has($0) } },
      describe: { (device: $0.identity.device, isEmpty: $0.isEmpty) })
    guard case .trusted(let listing) = trust else {
      var outcome = trust.outcome
      if case .doubted = trust, case .success(let listing) = result {
        Kind.doubt(listing, in: &self)
      }
      if !kept.isEmpty { outcome += Kind.restoreAll(in: &self, at: now) }
      // The times of their files are known already, so they do not look changed.
      let again = now.milliseconds + retryPause(afterFailures: 1)
      outcome.again += look.names.keys.map { (Kind.scanKey($0), again) }
      return [.decided(outcome), .done(look)]
    }
    folder.identity = listing.identity
    folder.isUnsettled = listing.isUnsettled
    var look = look
    look.isStart = look.isStart || isFirst
    look.isFirst = isFirst
    var outcome = Outcome()
    let others = Kind.note(listing, look, in: &self, at: now, &outcome)
    let requests = requests(for: listing, look) + others
    return [.decided(outcome), .read(requests, look), .done(look)]
  }

  /// Compares a listing with what is known. What is missing comes first.
  private func requests(
    for listing: Kind.Listing, _ look: Look<Kind.Name>
  ) -> [KeptRequest<Kind>] {
    var requests: [KeptRequest<Kind>] = []
    for (key, item) in items where !listing.has(key) {
      if let clue = Kind.clue(to: key, item, listing, look, in: self) {
        requests.append(KeptRequest(entry: item.entry, asking: .find(clue)))
      }
    }
    for entry in listing.entries {
      let key = Kind.key(of: entry)
      guard let item = items[key], item.entry == entry, !folder.names.isMissing(key),
        look.names[Kind.name(of: entry)] == nil, !Kind.isDue(entry, item, look, in: self)
      else {
        requests.append(KeptRequest(entry: entry, asking: .read))
        continue
      }
      if look.isWhole { requests.append(KeptRequest(entry: entry, asking: .compare)) }
    }
    return requests
  }

  private mutating func read(
    _ answers: [(entry: Kind.Entry, answer: KeptAnswer<Kind.Reading>?)], _ look: Look<Kind.Name>,
    at now: Moment
  ) -> [KeepEffect<Kind>] {
    var outcome = Outcome()
    var moved = look
    moved.isListing = true
    var isMoved = false
    var isSilent = false
    for (entry, answer) in answers {
      switch answer {
      case .unchanged?: break
      case .read(let reading)?:
        outcome += Kind.take(reading, of: entry, look, in: &self, at: now)
      case .moved?:
        isMoved = true
        let name = Kind.name(of: entry)
        moved.names[name] = look.names[name] ?? []
        // The next listing reports why.
        if look.isListing {
          let again = now.milliseconds + LoadingLimits.movedPause
          outcome.again.append((Kind.scanKey(name), again))
        }
      case nil:
        isSilent = true
        outcome += Kind.postpone(entry, in: &self, at: now)
      }
    }
    if isSilent { outcome += postponed(at: now) }
    return [.decided(outcome)] + (isMoved && !look.isListing ? [.list(moved)] : [])
  }

  /// The folder did not answer. What is served stays. When the read ends, the folder is listed
  /// again, and these entries are read.
  private mutating func silent(_ look: Look<Kind.Name>, at now: Moment) -> Outcome {
    var outcome = postponed(at: now)
    for request in Kind.requests(for: look, in: self) ?? [] {
      outcome += Kind.postpone(request.entry, in: &self, at: now)
    }
    if !folder.wasRead { outcome += Kind.restoreAll(in: &self, at: now) }
    return outcome
  }

  private mutating func postponed(at now: Moment) -> Outcome {
    folder.isUnsettled = true
    var outcome = Outcome()
    outcome.again = [(Kind.folderKey, now.milliseconds + LoadingLimits.hangingPause)]
    return outcome
  }

  private mutating func done(_ look: Look<Kind.Name>, at now: Moment) -> [KeepEffect<Kind>] {
    switch look.then {
    case .nothing:
      // Names from before the start may be missing.
      return look.isFirst && folder.names.held != nil ? withdraw(at: now) : []
    case .withdraw: return withdraw(at: now)
    case .confirm(let ids): return confirm(ids, at: now)
    case .release(let id):
      var effects = withdraw(at: now)
      folder.release()
      var outcome = Outcome()
      outcome.confirmed = [id]
      effects.append(.decided(outcome))
      return effects
    }
  }

  // MARK: Withdrawal

  /// When the next missing name may be withdrawn, in milliseconds of the monotonic clock; nil if
  /// none is missing, or if withdrawals are held back.
  var nextWithdrawal: Int64? { folder.nextWithdrawal(withdrawAfter: options.withdrawAfter) }

  private mutating func passTime(at now: Moment) -> [KeepEffect<Kind>] {
    // An old listing does not prove absence.
    if folder.isWithdrawalDue(at: now.milliseconds, withdrawAfter: options.withdrawAfter) {
      return [.list(Look(then: .withdraw))]
    }
    return withdraw(at: now)
  }

  /// Withdraws names that have been missing for long enough, unless suspiciously many are missing.
  private mutating func withdraw(at now: Moment) -> [KeepEffect<Kind>] {
    var outcome = Outcome()
    let known = items.count + folder.names.unseen.count { items[$0] == nil }
    let found = folder.withdrawal(
      known: known, isLast: Kind.isLast(in: self), at: now.milliseconds,
      withdrawAfter: options.withdrawAfter)
    if let faults = found.faults { outcome += Outcome(heldFor: faults) }
    var rest: [KeptRequest<Kind>] = []
    for key in found.names where !unsettled.contains(key) {
      if let entry = Kind.withdraw(key, in: &self, at: now, &outcome) {
        rest.append(KeptRequest(entry: entry, asking: .read))
      }
    }
    return rest.isEmpty ? [.decided(outcome)] : [.decided(outcome), .read(rest, Look())]
  }

  // MARK: Holds

  var holds: [Hold] {
    [folder.hold].compactMap(\.self) + Kind.holds(in: self).sorted { $0.id < $1.id }
  }

  /// The folder is listed first, because a loss that has grown since its ID was shown has a new ID.
  private func confirmed(_ ids: Set<String>) -> [KeepEffect<Kind>] {
    if !holds.contains(where: { ids.contains($0.id) }) { return [] }
    let names = Kind.doubtful(in: self).map { ($0, Set<String>()) }
    return [
      .list(
        Look(
          names: Dictionary(uniqueKeysWithValues: names), isFinal: true, then: .confirm(ids)))
    ]
  }

  private mutating func confirm(_ ids: Set<String>, at now: Moment) -> [KeepEffect<Kind>] {
    var effects = withdraw(at: now)
    if let id = folder.confirm(ids) {
      effects.append(.list(Look(isFinal: true, then: .release(id))))
    }
    var outcome = Outcome()
    let look = Kind.confirm(ids, in: &self, at: now, &outcome)
    effects.append(.decided(outcome))
    return effects + (look.map(due) ?? [])
  }
}
