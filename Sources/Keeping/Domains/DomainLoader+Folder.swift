internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Scans of the folder as a whole, and of names in it.
extension DomainLoader {
  /// Lists the folder, and scans every domain that is new, is missing, or whose names have changed.
  ///
  /// - Parameters:
  ///   - isWhole: Whether domains with changed files are scanned too.
  ///   - names: Domains to scan in any case.
  mutating func scanFolder(
    _ mode: ScanMode, isWhole: Bool, including names: Set<DomainName> = []
  ) -> Outcome {
    var outcome = Outcome()
    let isFirst = !folder.wasRead
    let look = listing().map { judge($0) }
    guard case .trusted(let listing)? = look else {
      outcome += look?.outcome
      if look == nil { outcome += postpone(known(names)) }
      if isFirst { outcome += restoreAll() }
      return outcome
    }
    let isPolicyNew = listing.policy != policyIdentity
    policyIdentity = listing.policy
    let found = DomainFolder(path: root, names: listing.names)
    if !unread.isEmpty { unread = unread.filter { found.entries[$0.key] != nil } }
    if isFirst { begin(found, at: Clock.monotonicMilliseconds()) }
    var mode = mode
    mode.isStart = mode.isStart || isFirst || states.isEmpty
    let now = Clock.monotonicMilliseconds()
    let faults = folder.report(found.diagnostics, isStart: mode.isStart, now: now)
    outcome.report.add(faults.new)
    if let time = faults.again { outcome.again.append((.domainsFolder, time)) }
    var entries: [DomainFolder.Entry] = []
    var doubtful: [DomainName] = []
    states.reserveCapacity(found.entries.count)
    for (name, entry) in found.entries {
      guard let state = states[name] else {
        entries.append(entry)
        continue
      }
      if state.entry != entry || folder.names.isMissing(name) || names.contains(name)
        || isPolicyNew && (entry.file != nil || entry.assetLinksFile != nil)
        || isWhole && failures[name] != nil
      {
        entries.append(entry)
      } else if isWhole {
        doubtful.append(name)
      }
    }
    for (name, isCurrent) in zip(doubtful, areCurrent(doubtful)) where isCurrent != true {
      if let entry = found.entries[name] { entries.append(entry) }
    }
    // If a name is replaced while the folder is listed, the list may lack it although it exists.
    entries += currentEntries(
      of: states.keys.filter {
        found.entries[$0] == nil && (states[$0]?.isMissing == false || names.contains($0))
      })
    entries += keptEntries(without: found)
    outcome += scan(entries, mode)
    if isFirst, folder.names.held != nil { outcome += withdrawOverdue() }
    return outcome
  }

  /// Scans domains by the names that they have now.
  ///
  /// - Parameter spellings: Names in the folder that events mentioned.
  mutating func scan(
    _ names: some Collection<DomainName>, spellings: [DomainName: Set<String>] = [:],
    _ mode: ScanMode
  ) -> Outcome {
    // In a folder that cannot be trusted, names mean nothing.
    guard let isFolderAnother else { return postpone(known(names)) }
    if isFolderAnother {
      var outcome = scanFolder(mode, isWhole: false, including: Set(names))
      // Plan another scan of a file that could not be read: its time and size are already known, so
      // it does not look changed.
      if folder.identity == nil, !isWaiting {
        let now = Clock.monotonicMilliseconds()
        outcome.again += names.map { name in
          (.domain(name), now + retryPause(afterFailures: (failures[name]?.count ?? 0) + 1))
        }
      }
      return outcome
    }
    return scan(currentEntries(of: Array(names), spellings), mode)
  }

  /// Decides whether the folder can be trusted. If not, nothing changes.
  private mutating func judge(
    _ result: Result<FolderListing, SystemError>
  ) -> KeptFolder<DomainName>.Look<FolderListing> {
    folder.identity = nil
    let (root, states) = (root, states)
    let look = folder.look(
      result.mapError(failure), known: states.keys, isExpected: true,
      at: Clock.monotonicMilliseconds(), withdrawAfter: options.withdrawAfter,
      lost: { listing in
        let found = DomainFolder(path: root, names: listing.names).entries
        return states.keys.filter { found[$0] == nil }
      },
      describe: { (device: $0.identity.device, isEmpty: $0.isEmpty) })
    if case .trusted(let listing) = look {
      folder.identity = listing.identity
      let now = Clock.wallNanoseconds()
      folder.isUnsettled =
        max(listing.identity.settlingTime(now: now), listing.identity.doubtfulTime(now: now)) > 0
    }
    return look
  }

  private func failure(_ error: SystemError) -> FolderFailure {
    let (what, kind, root) = (folder.what, folder.kinds.folder, root)
    return work.result(root) { FolderFailure(error, of: what, kind, at: root) }
      ?? FolderFailure(error, .unreadableFolder(what, kind, at: root))
  }

  // MARK: Withdrawal

  /// When the next missing name may be withdrawn, in milliseconds of the monotonic clock; nil if
  /// none is missing, or if withdrawals are held back.
  var nextWithdrawal: Int64? { folder.nextWithdrawal(withdrawAfter: options.withdrawAfter) }

  /// Withdraws domains that have been missing for long enough, unless suspiciously many are
  /// missing.
  mutating func withdrawMissing() -> Outcome {
    var outcome = Outcome()
    // An old listing does not prove absence.
    let now = Clock.monotonicMilliseconds()
    if folder.isWithdrawalDue(at: now, withdrawAfter: options.withdrawAfter), isFolderChanged {
      outcome += scanFolder(ScanMode(threads: threads), isWhole: false)
      // A file system that does not answer proves nothing.
      if isWaiting { return outcome }
    }
    outcome += withdrawOverdue()
    return outcome
  }

  private mutating func withdrawOverdue() -> Outcome {
    var outcome = Outcome()
    let now = Clock.monotonicMilliseconds()
    let known = states.count + folder.names.unseen.count { states[$0] == nil }
    let found = folder.withdrawal(known: known, at: now, withdrawAfter: options.withdrawAfter)
    if let faults = found.faults { outcome += Outcome(heldFor: faults) }
    if found.names.isEmpty { return outcome }
    if folder.guarding.observation == .missing {
      for name in found.names { forget(name, at: now) }
      outcome.changes.namesChanged = true
      outcome.report.removed += found.names.map(\.description)
      return outcome
    }
    // The last run knew these, and nothing is served for them.
    for name in found.names where states[name] == nil { folder.withdraw(name, at: now) }
    if !folder.names.unseen.isEmpty { outcome.changes.namesChanged = true }
    outcome += scan(found.names.filter { states[$0] != nil }, ScanMode(withdraws: true))
    return outcome
  }

  /// Decides which hosts of a list are served, and reports hosts that were added or withdrawn.
  mutating func decideHosts(
    _ state: DomainState, _ decision: inout DomainDecision, _ reading: DomainReading,
    isNew: Bool, isStart: Bool, now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    if case .absent = reading.hosts, !state.hosts.hasAnswer { return outcome }
    let before = state.hosts.answer.version
    let name = state.entry.name
    // Held hosts count too: a list that is replaced again and again would hold more and more.
    let taken = lists.reduce(0) { sum, list in
      let own = list.key == name ? nil : states[list.key]?.hosts.answer.version
      return sum + list.value.kept.count + (own?.weight ?? 0)
    }
    state.hosts = decision.decideHosts(
      state.hosts, reading.hosts, room: HostsFile.mostHosts - taken, isStart: isNew && isStart)
    if state.hosts.answer.isUnavailable {
      unreadLists.insert(name)
    } else {
      unreadLists.remove(name)
    }
    var list =
      lists[name]
      ?? ListedHosts(
        path: reading.hostsPath ?? "\(root)/\(name.entryName).hosts",
        canConfirm: options.canConfirm)
    let change = decision.keepHosts(
      of: &list, state.hosts.answer.version, after: before, isRead: !reading.hosts.isUnreadable,
      at: now, withdrawAfter: options.withdrawAfter)
    lists[name] = state.hosts.answer.version == nil ? nil : list
    if let time = list.next(withdrawAfter: options.withdrawAfter) {
      outcome.again.append((.domain(name), time))
    }
    if reading.openLinePause > 0 {
      outcome.again.append((.domain(name), now + reading.openLinePause))
    }
    if isNew { return outcome }
    outcome.report.added += change.added
    outcome.report.removed += change.withdrawn.map(\.description)
    return outcome
  }
}
