internal import AppSiteAssociation
internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Scanning the folder as a whole, and names in it.
extension DomainLoader {
  /// Lists the folder, and scans every domain that is new, has other names, or is missing.
  ///
  /// - Parameters:
  ///   - isWhole: Whether domains with changed files are scanned too.
  ///   - names: Domains that are always scanned.
  mutating func scanFolder(
    _ mode: ScanMode, isWhole: Bool, including names: Set<DomainName> = [],
    _ outcome: inout Outcome
  ) {
    let isFirst = !folder.wasRead
    guard let listing = list(&outcome) else {
      if isFirst { restoreAll(&outcome) }
      return
    }
    let found = DomainFolder(path: root, names: listing.names)
    if isFirst { begin(found) }
    var mode = mode
    mode.isStart = mode.isStart || isFirst || states.isEmpty
    let now = Clock.monotonicMilliseconds()
    let faults = folder.report(found.diagnostics, isStart: mode.isStart, now: now)
    outcome.report.add(faults.new)
    if let time = faults.again { outcome.again.append((.domainsFolder, time)) }
    var entries: [DomainFolder.Entry] = []
    states.reserveCapacity(found.entries.count)
    guard let directory = try? Directory(root) else {
      folder.isUnsettled = true
      return
    }
    let policy = DomainObserver.policyIdentity(in: directory)
    let isPolicyNew = policy != policyIdentity
    policyIdentity = policy
    for (name, entry) in found.entries {
      guard let state = states[name] else {
        entries.append(entry)
        continue
      }
      if state.entry != entry || folder.absence.isMissing(name) || names.contains(name)
        || isPolicyNew && (entry.file != nil || entry.assetLinksFile != nil)
        || isWhole && (failures[name] != nil || !isCurrent(state, in: directory))
      {
        entries.append(entry)
      }
    }
    for name in states.keys
    where found.entries[name] == nil && (!folder.absence.isMissing(name) || names.contains(name)) {
      // A name that is replaced while the folder is listed may be absent from the list only.
      entries.append(currentEntry(of: name, in: directory))
    }
    entries += keptEntries(without: found)
    self.scan(entries, mode, &outcome)
    if isFirst, let hold = folder.holdOfBefore { noteHeld([hold.fault], &outcome) }
  }

  /// Scans domains, whatever names they have now.
  ///
  /// - Parameter spellings: Names in the folder that events mentioned.
  mutating func scan(
    _ names: some Collection<DomainName>, spellings: [DomainName: Set<String>] = [:],
    _ mode: ScanMode, _ outcome: inout Outcome
  ) {
    // Names in a folder that cannot be trusted mean nothing.
    if isFolderAnother {
      return scanFolder(mode, isWhole: false, including: Set(names), &outcome)
    }
    guard let directory = try? Directory(root) else { return }
    let entries = names.map {
      currentEntry(of: $0, alsoCalled: spellings[$0] ?? [], in: directory)
    }
    self.scan(entries, mode, &outcome)
  }

  /// Whether a name is that of a temporary file, such as `rsync` writes and then renames. It means
  /// nothing, so it does not cost a listing of the folder.
  func isTemporaryFile(_ name: String) -> Bool {
    guard NameClass(name, isDirectory: false) == .ignored, name != VerdictPolicy.fileName,
      let directory = try? Directory(root)
    else { return false }
    switch directory.find(name) {
    // A link may lead to what is served: `..data` of a ConfigMap.
    case .link, .unknown: return false
    case .nothing: return true
    case .other: return (try? directory.status(name).kind) == .regular
    }
  }

  /// Whether the domains folder was replaced by another one, or cannot be trusted.
  var isFolderAnother: Bool {
    // Looking up `.` needs permission to search the folder.
    guard let identity = folder.identity, let directory = try? Directory(root),
      let now = try? directory.status(".")
    else { return true }
    return identity.device != now.device || identity.inode != now.inode
  }

  /// Whether the folder must be listed again: it was replaced, names were added or removed, or its
  /// policy has changed.
  var isFolderChanged: Bool {
    guard let identity = folder.identity, let now = try? status(root),
      let directory = try? Directory(root)
    else { return true }
    return folder.isUnsettled || identity != now
      || policyIdentity != DomainObserver.policyIdentity(in: directory)
  }

  /// The domains among these whose files have changed since they were read.
  func changed(_ names: some Collection<DomainName>) -> [DomainName] {
    guard !names.isEmpty, folder.identity != nil, let directory = try? Directory(root) else {
      return []
    }
    return names.filter { name in
      guard let state = states[name] else { return false }
      return !isCurrent(state, in: directory)
    }
  }

  /// Whether a domain's files are unchanged since they were read.
  func isCurrent(_ state: DomainState, in directory: borrowing Directory) -> Bool {
    reader.observer.identity(of: state.entry, places: state.places, in: directory)
      == state.identity
  }

  /// The names that a domain has now.
  private func currentEntry(
    of domain: DomainName, alsoCalled names: Set<String> = [], in directory: borrowing Directory
  ) -> DomainFolder.Entry {
    let entry = states[domain]?.entry
    var candidates = names
    for part in DomainFolder.Part.allCases {
      let usual = part.usualName(of: domain)
      candidates.insert(usual)
      // For file systems without stars in names. A new file has no state with its name yet.
      if usual.hasPrefix("*.") { candidates.insert("_wildcard" + usual.dropFirst()) }
      if let name = entry?.name(of: part) { candidates.insert(name) }
    }
    var present: [(name: String, isDirectory: Bool)] = []
    for name in candidates {
      switch directory.find(name) {
      case .nothing: continue
      // A look-up that fails proves nothing: only what was there before may still be there.
      case .unknown where !DomainFolder.Part.allCases.contains { entry?.name(of: $0) == name }:
        continue
      case .link, .other, .unknown:
        present.append((name, FolderListing.isDirectory(name, in: directory)))
      }
    }
    let found = DomainFolder(path: root, names: present)
    return found.entries[domain] ?? found.lists[domain] ?? DomainFolder.Entry(name: domain)
  }

  /// Lists the folder. Nil if it cannot be trusted now; then nothing changes.
  private mutating func list(_ outcome: inout Outcome) -> FolderListing? {
    folder.identity = nil
    let root = root
    let result = Result { () throws(SystemError) in try FolderListing(root) }
    let (states, before) = (states, folder.before)
    let look = folder.look(
      result, known: states.count,
      // What was held before the start waits for its confirmation, and is no new loss.
      states.keys.filter { !before.isMissing($0) }, isExpected: true, circumstances(),
      lost: { listing in
        let found = DomainFolder(path: root, names: listing.names).entries
        return states.keys.filter { found[$0] == nil }
      },
      describe: { (device: $0.identity.device, isEmpty: $0.isEmpty) })
    switch look {
    case .missing: return nil
    case .doubted(let found):
      noteHeld(found, &outcome)
      return nil
    case .trusted(let listing):
      folder.identity = listing.identity
      let now = Clock.wallNanoseconds()
      folder.isUnsettled =
        max(listing.identity.settlingTime(now: now), listing.identity.doubtfulTime(now: now)) > 0
      return listing
    }
  }

  private func noteHeld(_ found: [Diagnostic], _ outcome: inout Outcome) {
    outcome.failures += 1
    outcome.report.add(found)
  }

  // MARK: Withdrawing

  /// When a missing name may be withdrawn, in milliseconds of the monotonic clock; nil if none is
  /// missing, or if withdrawals are held back.
  var nextWithdrawal: Int64? { folder.nextWithdrawal(withdrawAfter: options.withdrawAfter) }

  /// Withdraws domains that have been missing for long enough, unless they are suspiciously many.
  mutating func withdrawMissing(_ outcome: inout Outcome) {
    // An old listing does not prove absence.
    if folder.isWithdrawalDue(circumstances()), isFolderChanged {
      scanFolder(ScanMode(threads: threads), isWhole: false, &outcome)
    }
    let time = circumstances()
    switch folder.withdrawal(known: states.count, time) {
    case .held(let found): noteHeld(found, &outcome)
    case .names(let names):
      if names.isEmpty { return }
      if folder.guarding.observation == .missing {
        for name in names { withdraw(name, &outcome) }
      } else {
        scan(names, ScanMode(withdrawAfter: time.withdrawAfter), &outcome)
      }
      if folder.absence.isEmpty { folder.release() }
    }
  }

  /// Notes whether a domain has files that are missing.
  mutating func noteAbsence(of state: DomainState, isWithdrawn: Bool, now: Int64) {
    let name = state.entry.name
    // What was held before the start waits for its confirmation, and is no new loss.
    if folder.before.isMissing(name) {
      if state.missingSince == nil { folder.before.find(name) }
      return
    }
    if isWithdrawn { folder.withdraw(name) }
    if state.missingSince != nil {
      folder.miss(name, known: states.count, circumstances())
    } else if !isWithdrawn {
      folder.find(name, now: now)
    }
  }

  /// Decides which hosts of a list are served, and reports hosts that were added or withdrawn.
  mutating func decideHosts(
    _ state: DomainState, _ decision: inout DomainDecision, _ reading: DomainReading,
    isNew: Bool, _ outcome: inout Outcome, now: Int64
  ) {
    let before = state.hosts.answer.version
    if case .absent = reading.hosts, before == nil, !state.hosts.hasAnswer { return }
    state.hosts = decision.decideHosts(state.hosts, reading.hosts)
    let time = Circumstances(now: now, withdrawAfter: options.withdrawAfter)
    let name = state.entry.name
    if state.hosts.answer.isUnavailable {
      unreadLists.insert(name)
    } else {
      unreadLists.remove(name)
    }
    var list = lists[name] ?? KeptHosts()
    let change = decision.keepHosts(of: &list, state.hosts.answer.version, after: before, time)
    lists[name] = state.hosts.answer.version == nil ? nil : list
    if let time = list.next(withdrawAfter: options.withdrawAfter) {
      outcome.again.append((.domain(name), time))
    }
    if reading.openLinePause > 0 {
      outcome.again.append((.domain(name), now + reading.openLinePause))
    }
    if isNew { return }
    outcome.report.added += change.added
    outcome.report.removed += change.withdrawn.map(\.description)
  }
}
