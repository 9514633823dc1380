internal import Diagnostics
internal import Posix
internal import Settings

/// Scanning the folder as a whole, and names in it.
extension DomainLoader {
  /// Lists the folder, and scans every domain that is new, has other names, or is missing.
  ///
  /// - Parameters:
  ///   - isWhole: Whether domains with changed files are scanned too.
  ///   - names: Domains that are scanned in any case.
  mutating func scanFolder(
    _ mode: ScanMode, isWhole: Bool, including names: Set<DomainName> = [],
    _ outcome: inout Outcome
  ) {
    guard let listing = list(&outcome) else { return }
    let found = DomainFolder(path: root, names: listing.names)
    outcome.report.add(found.diagnostics.filter { !folder.nameDiagnostics.contains($0) })
    folder.nameDiagnostics = found.diagnostics
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
      if state.entry != entry || missing[name] != nil || names.contains(name)
        || isPolicyNew && (entry.file != nil || entry.assetLinksFile != nil)
        || isWhole && (failures[name] != nil || !isCurrent(state, in: directory))
      {
        entries.append(entry)
      }
    }
    for name in states.keys
    where found.entries[name] == nil && (missing[name] == nil || names.contains(name)) {
      // A name that is replaced while the folder is listed may be absent from the list only.
      entries.append(currentEntry(of: name, in: directory))
    }
    entries += heldEntries(without: found.entries)
    self.scan(entries, mode, &outcome)
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
    var candidates = names
    for part in DomainFolder.Part.allCases {
      let usual = part.usualName(of: domain)
      candidates.insert(usual)
      // For file systems without stars in names. A new file has no state with its name yet.
      if usual.hasPrefix("*.") { candidates.insert("_wildcard" + usual.dropFirst()) }
      if let name = states[domain]?.entry.name(of: part) { candidates.insert(name) }
    }
    var present: [(name: String, isDirectory: Bool)] = []
    for name in candidates where directory.find(name) != .nothing {
      present.append((name, FolderListing.isDirectory(name, in: directory)))
    }
    return DomainFolder(path: root, names: present).entries[domain]
      ?? DomainFolder.Entry(name: domain)
  }

  /// Lists the folder. Nil if it cannot be trusted now; then everything stays.
  private mutating func list(_ outcome: inout Outcome) -> FolderListing? {
    folder.identity = nil
    let path = root
    let seen = folder.read(known: states.count) { () throws(SystemError) in
      let listing = try FolderListing(path)
      return (listing, device: listing.identity.device, isEmpty: listing.isEmpty)
    }
    if let doubt = seen.doubt {
      let lost = seen.content.map { names(lostIn: $0) } ?? Set(states.keys.map(\.entryName))
      hold(doubt, seen.error, losing: lost, &outcome)
      if seen.content == nil { restoreAll(&outcome) }
      return nil
    }
    guard let listing = seen.content else {
      restoreAll(&outcome)
      if states.isEmpty {
        hold(.missing, seen.error, losing: [], &outcome)
      } else {
        noteAllMissing()
      }
      return nil
    }
    if folder.isDistrusted {
      folder.trust()
      restartAbsences(Clock.monotonicMilliseconds())
    }
    folder.identity = listing.identity
    folder.isUnsettled = listing.identity.settlingTime(now: Clock.wallNanoseconds()) > 0
    return listing
  }

  // MARK: Withdrawing

  private mutating func noteAllMissing() {
    let now = Clock.monotonicMilliseconds()
    if missing.isEmpty { countBeforeLoss = states.count }
    for name in states.keys where missing[name] == nil && !heldBefore.contains(name) {
      missing[name] = now
    }
  }

  /// The entries that another folder in the place of this one would not serve.
  private func names(lostIn listing: FolderListing) -> Set<String> {
    let found = DomainFolder(path: root, names: listing.names).entries
    let missing = states.keys.filter { found[$0] == nil }.map(\.entryName)
    return Set(missing + ["device \(listing.identity.device)"])
  }

  private mutating func hold(
    _ reason: FolderGuard.Reason, _ error: SystemError?, losing names: Set<String>,
    _ outcome: inout Outcome
  ) {
    outcome.failures += 1
    let found = folder.hold(
      reason, "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: root, error,
      losing: states.isEmpty ? [] : names)
    outcome.report.add(found)
  }

  /// When a missing name may be withdrawn, in milliseconds of the monotonic clock; nil if none is
  /// missing, or if everything stays for now.
  var nextWithdrawal: Int64? {
    guard folder.held == nil, let first = missing.values.min() else { return nil }
    // If a file is being written, withdrawing is put off, and the next attempt waits.
    return max(first + options.withdrawAfter, lastWithdrawal + ObservationLimits.settlingTime)
  }

  /// Withdraws domains that have been missing for long enough, unless they are suspiciously many.
  mutating func withdrawMissing(_ outcome: inout Outcome) {
    let now = Clock.monotonicMilliseconds()
    let pause = folder.isConfirmed ? 0 : options.withdrawAfter
    lastWithdrawal = now
    var names = missing.filter { now - $0.value >= pause }.map(\.key)
    // An old listing does not prove absence.
    if !names.isEmpty, isFolderChanged {
      scanFolder(ScanMode(threads: threads), isWhole: false, &outcome)
      names = names.filter { missing[$0] != nil }
    }
    // In a folder that was missing from the start no file can be missing.
    if folder.isDistrusted || states.isEmpty && folder.guarding.observation == .missing { return }
    let reason = folder.guarding.reason(missing: missing.count, known: countForLoss)
    if let reason, !folder.isConfirmed {
      if !names.isEmpty {
        hold(reason, nil, losing: Set(missing.keys.map(\.entryName)), &outcome)
      }
      return
    }
    if folder.held != nil, !folder.isConfirmed {
      // If somebody puts files back one by one, the rest needs time.
      restartAbsences(now)
      return folder.release()
    }
    if folder.guarding.observation == .missing {
      for name in names { withdraw(name, &outcome) }
    } else if !names.isEmpty {
      scan(names, ScanMode(withdrawAfter: pause), &outcome)
    }
    if missing.isEmpty { folder.release() }
  }

  private mutating func restartAbsences(_ now: Int64) {
    for name in Array(missing.keys) {
      states[name]?.restartAbsences(now)
      missing[name] = now
    }
  }
}
