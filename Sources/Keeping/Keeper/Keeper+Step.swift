internal import Settings

extension Keeper {
  /// Handles an event. Returns the effects that the runner must carry out.
  mutating func step(_ event: KeepEvent<Self>, at now: Moment) -> [KeepEffect<Self>] {
    switch event {
    case .due(let pass):
      if !pass.isListing, folder.identity != nil, let requests = requestsWithoutListing(for: pass) {
        [.read(requests, pass)]
      } else {
        [.list(pass)]
      }
    case .listed(let result, let pass): listed(result, pass, at: now)
    case .read(let requests, let answers, let pass): read(requests, answers, pass, at: now)
    case .done(let pass): done(pass, at: now)
    case .confirmed(let ids): confirmed(ids)
    case .time: passTime(at: now)
    case .idle: workInBackground(at: now)
    }
  }

  // MARK: Listing and reading

  private mutating func listed(
    _ result: Result<Listing, FolderFailure>?, _ pass: Pass<Name>, at now: Moment
  ) -> [KeepEffect<Self>] {
    var outcome = Outcome()
    guard let result else {
      // The folder did not answer, so the same versions stay in service. When the hanging read has
      // ended, the folder is listed again, and the entries of this pass are read.
      wait(at: now, &outcome)
      for request in requestsWithoutListing(for: pass) ?? [] {
        postpone(request.entry, at: now, &outcome)
      }
      if !folder.wasRead { restoreAll(at: now, &outcome) }
      return [.decided(outcome)]
    }
    let isFirst = !folder.wasRead
    folder.identity = nil
    let trust = folder.look(
      result, known: items.keys, isExpected: isExpected, at: now.milliseconds,
      withdrawAfter: options.withdrawAfter)
    guard case .trusted(let listing) = trust else {
      if case .doubted(let faults) = trust {
        outcome.hold(for: faults)
        if case .success(let listing) = result { doubt(listing) }
      }
      restoreAll(at: now, &outcome)
      // A later scan could compare only the times of the files, and would miss some changes.
      // Therefore, read the names of this pass again.
      let again = now.milliseconds + retryPause(afterFailures: 1)
      outcome.again += pass.names.keys.map { (Self.scanKey($0), again) }
      return [.decided(outcome), .done(pass)]
    }
    folder.identity = listing.identity
    folder.isUnsettled = listing.isUnsettled
    var pass = pass
    pass.isStart = pass.isStart || isFirst
    pass.isFirst = isFirst
    let others = note(listing, pass, at: now, &outcome)
    let requests = requests(for: listing, pass) + others
    return [.decided(outcome), .read(requests, pass), .done(pass)]
  }

  /// Compares a listing with the known items, and returns what to read. Requests for missing items
  /// come first.
  private func requests(
    for listing: Listing, _ pass: Pass<Name>
  ) -> [KeptRequest<Self>] {
    var requests: [KeptRequest<Self>] = []
    for (key, item) in items where !listing.has(key) {
      if let clue = clue(to: key, item, listing, pass) {
        requests.append(KeptRequest(entry: item.entry, asking: .find(clue)))
      }
    }
    for entry in listing.entries {
      let key = Self.key(of: entry)
      guard let item = items[key], item.entry == entry, !folder.names.isMissing(key),
        pass.names[Self.name(of: entry)] == nil, !isDue(entry, item, pass)
      else {
        requests.append(KeptRequest(entry: entry, asking: .read))
        continue
      }
      if pass.isWhole { requests.append(KeptRequest(entry: entry, asking: .compare)) }
    }
    return requests
  }

  private mutating func read(
    _ requests: ArraySlice<KeptRequest<Self>>, _ answers: [Boxed<KeptAnswer<Reader.Reading>>?],
    _ pass: Pass<Name>, at now: Moment
  ) -> [KeepEffect<Self>] {
    var outcome = Outcome()
    var moved = pass
    moved.isListing = true
    var isMoved = false
    var isSilent = false
    var effects: [KeepEffect<Self>] = []
    for (request, answer) in zip(requests, answers) {
      let entry = request.entry
      switch answer?.value {
      case .unchanged?: break
      case .read(let reading)?:
        if take(reading, of: entry, pass, at: now, &outcome) {
          effects.append(.readAlone(Self.name(of: entry)))
        }
      case .moved?:
        isMoved = true
        let name = Self.name(of: entry)
        moved.names[name] = pass.names[name] ?? []
        // If this pass has just listed the folder, do not list the folder again immediately. Scan
        // the moved entry later.
        if pass.isListing {
          let again = now.milliseconds + LoadingLimits.movedPause
          outcome.again.append((Self.scanKey(name), again))
        }
      case nil:
        isSilent = true
        postpone(entry, at: now, &outcome)
      }
    }
    if isSilent { wait(at: now, &outcome) }
    effects.append(.decided(outcome))
    if isMoved && !pass.isListing { effects.append(.list(moved)) }
    return effects
  }

  /// Plans another listing, because the folder does not answer.
  private mutating func wait(at now: Moment, _ outcome: inout Outcome) {
    folder.isUnsettled = true
    outcome.again.append((Self.folderKey, now.milliseconds + LoadingLimits.hangingPause))
  }

  private mutating func done(_ pass: Pass<Name>, at now: Moment) -> [KeepEffect<Self>] {
    switch pass.then {
    case .nothing:
      // If names that the last run found are missing, and an operator must confirm their loss,
      // report this.
      return pass.isFirst && folder.names.held != nil ? withdraw(at: now) : []
    case .withdraw: return withdraw(at: now)
    case .confirm(let ids): return confirm(ids, at: now)
    case .release(let id):
      var effects = withdraw(at: now)
      folder.release()
      effects.append(.decided(Outcome(confirmed: [id])))
      return effects
    }
  }

  // MARK: Withdrawal

  /// When the next missing name may be withdrawn, in milliseconds of the monotonic clock. Nil if no
  /// name is missing, or if nothing may be withdrawn now.
  var nextWithdrawal: Int64? { folder.nextWithdrawal(withdrawAfter: options.withdrawAfter) }

  private mutating func passTime(at now: Moment) -> [KeepEffect<Self>] {
    // List the folder before a withdrawal, because an old listing does not prove that a name is
    // still missing.
    if folder.isWithdrawalDue(at: now.milliseconds, withdrawAfter: options.withdrawAfter) {
      return [.list(Pass(then: .withdraw))]
    }
    return withdraw(at: now)
  }

  /// Withdraws names that have been missing for long enough, unless their loss awaits confirmation.
  private mutating func withdraw(at now: Moment) -> [KeepEffect<Self>] {
    var outcome = Outcome()
    let known = items.count + folder.names.unseen.count { items[$0] == nil }
    let found = folder.withdrawal(
      known: known, isLast: isLast, at: now.milliseconds,
      withdrawAfter: options.withdrawAfter)
    if let faults = found.faults { outcome.hold(for: faults) }
    let rest = found.names.compactMap { withdraw($0, at: now, &outcome) }
      .map { KeptRequest<Self>(entry: $0, asking: .read) }
    return [.decided(outcome), .read(rest, Pass())]
  }

  // MARK: Holds

  var holds: [Hold] {
    [folder.hold].compactMap(\.self) + otherHolds.sorted { $0.id < $1.id }
  }

  /// The first step of a confirmation is a listing of the folder. If the loss has grown since the
  /// operator saw the ID of the loss, the listing gives the loss a new ID. The old ID then confirms
  /// nothing.
  private func confirmed(_ ids: Set<String>) -> [KeepEffect<Self>] {
    if !holds.contains(where: { ids.contains($0.id) }) { return [] }
    let names = doubtful.map { ($0, Set<String>()) }
    return [
      .list(
        Pass(
          names: Dictionary(uniqueKeysWithValues: names), isFinal: true, then: .confirm(ids)))
    ]
  }

  private mutating func confirm(_ ids: Set<String>, at now: Moment) -> [KeepEffect<Self>] {
    var effects = withdraw(at: now)
    if let id = folder.confirm(ids) {
      effects.append(.list(Pass(isFinal: true, then: .release(id))))
    }
    var outcome = Outcome()
    let pass = confirmOthers(ids, at: now, &outcome)
    effects.append(.decided(outcome))
    return effects + (pass.map { step(.due($0), at: now) } ?? [])
  }
}
