internal import Catalog
internal import Diagnostics
internal import Settings

/// Keeps the served versions that are no longer in their files, because a restart would lose them.
/// Restores the versions that the last run kept.
extension DomainKeeper {
  /// The versions that are served although their files no longer contain them.
  var atRisk: KeptWishes {
    var wishes = KeptWishes()
    var names = folder.names.held == nil ? [] : Set(folder.names.missing.keys)
    for (name, problem) in problems.all where problem.isLastGood { names.insert(name) }
    for (name, list) in lists where list.isLossLarge { names.insert(name) }
    if folder.isUnknown { names.formUnion(items.keys) }
    for name in names { addRisks(of: name, to: &wishes) }
    // Include the entries that the last run kept and that have not been compared with the folder
    // yet.
    for (name, entry) in kept where items[name] == nil { keep(entry, of: name, in: &wishes) }
    return wishes
  }

  private func addRisks(of name: DomainName, to wishes: inout KeptWishes) {
    let isNameHeld = folder.isHeld(name)
    if folder.names.unseen.contains(name) { wishes.held.insert(heldName(name)) }
    guard let state = items[name] else { return }
    // If the folder is missing or cannot be trusted, treat the loss of every file as unconfirmed.
    let areAllHeld = folder.isUnknown || isNameHeld && !state.isMissing
    /// Whether a file is missing, and its loss awaits confirmation.
    func isHeld<Version>(_ file: FileState<Version>) -> Bool {
      areAllHeld || isNameHeld && file.isMissing
    }
    for (number, file) in state.files.all {
      guard let served = file.answer.version, file.isLastGood || isHeld(file) else { continue }
      if isHeld(file) { wishes.held.insert(heldName(name)) }
      keep(served, number, of: name, in: &wishes)
    }
    let kept = lists[name].map { $0.isLossLarge ? $0.kept : [] } ?? []
    if let list = state.hosts.answer.version,
      state.hosts.isLastGood || isHeld(state.hosts) || !kept.isEmpty
    {
      if isHeld(state.hosts) { wishes.held.insert(heldName(name)) }
      keepList(list.bytes(with: kept), of: name, in: &wishes)
    }
  }

  private func heldName(_ name: DomainName) -> String { "domains/" + name.fileName }

  private func keep(
    _ entry: LastRun.Kept<Boxed<DomainReading>>, of name: DomainName, in wishes: inout KeptWishes
  ) {
    for (number, finding) in entry.value.value.files.all {
      guard let file = finding.version else { continue }
      let served = ServedFile(content: file.content, lastModified: file.lastModified)
      keep(served, number, of: name, in: &wishes)
    }
    if let list = entry.value.value.hosts.version {
      keepList(list.bytes, of: name, in: &wishes)
    }
    if entry.isHeld { wishes.held.insert(heldName(name)) }
  }

  private func keep(
    _ file: ServedFile, _ number: Int, of name: DomainName, in wishes: inout KeptWishes
  ) {
    let row = options.wellKnownFiles.files[number]
    let part: DomainFolder.Part? =
      switch row.role {
      case .association: .file
      case .assetLinks: .assetLinks
      case .page: .page
      case .other: nil
      }
    let path = name.fileName + (part?.suffix ?? "/.well-known/\(row.name)")
    var hasher = Hasher()
    hasher.combine(file.content.version)
    hasher.combine(file.lastModified)
    wishes.files["domains/" + path] = KeptFile(
      mark: hasher.finalize() | 1, modified: file.lastModified,
      content: .bytes(file.content.identity.body))
  }

  private func keepList(_ bytes: [UInt8], of name: DomainName, in wishes: inout KeptWishes) {
    wishes.files["domains/" + name.fileName + DomainFolder.Part.hosts.suffix] = KeptFile(
      mark: bytes.hashValue | 1, content: .bytes(bytes))
  }

  // MARK: Restoring versions at the start

  /// Stores the versions and names that the last run kept, until the entries are read.
  mutating func take(_ run: LastRun, at now: Moment) {
    kept = run.entries
    folder.names.remember(run.known, held: run.held, at: now.milliseconds)
  }

  /// Called at the first listing of the folder. Forgets the kept versions of missing names, unless
  /// the loss of a name awaits confirmation.
  mutating func begin(_ found: DomainFolder, at now: Int64) {
    func isFound(_ name: DomainName) -> Bool {
      found.entries[name] != nil || found.lists[name] != nil
    }
    for name in folder.names.begin(at: now, isFound: isFound) { kept[name]?.isHeld = true }
    kept = kept.filter { isFound($0.key) || $0.value.isHeld }
  }

  /// Called when an entry is read for the first time since the start. Restores the versions that
  /// the last run kept for this entry, unless its files now have better versions.
  mutating func restore(_ state: DomainState, _ reading: DomainReading) {
    if kept.isEmpty { return }
    guard let entry = kept.removeValue(forKey: state.entry.name) else { return }
    let kept = entry.value.value
    for (number, finding) in kept.files.all {
      guard let file = finding.version else { continue }
      let isFlawed = if case .flawed = finding { true } else { false }
      guard
        reading.files[number]?.hasNothingBetter(thanFlawed: isFlawed, isHeld: entry.isHeld)
          // The file was not found. Restore it if its loss awaits confirmation, or if it may be in
          // a folder that cannot be searched. Also restore it if the entry still has a list of
          // hosts, because the file was then probably removed by mistake.
          ?? (entry.isHeld || reading.facts.isFolderClosed || state.entry.lacksFile)
      else { continue }
      var restored = FileState<ServedFile>()
      restored.answer = .version(
        ServedFile(content: contents.adopt(file.content), lastModified: file.lastModified))
      restored.quality = isFlawed ? .flawed : .good
      state.files[number] = restored
    }
    // Restore the kept list if the entry has a list now, or if the loss of the entry awaits
    // confirmation. The current list is then compared with the kept list, just as a changed list is
    // compared with the served list.
    if case .absent = reading.hosts, !entry.isHeld { return }
    guard let list = kept.hosts.version else { return }
    let path = reading.hostsPath ?? "\(root)/\(state.entry.name.entryName).hosts"
    state.hosts.answer = .version(HostsFile(SourceText(path: path, bytes: list.bytes)))
  }

  /// Restores all kept versions, because the folder cannot be trusted.
  mutating func restoreAll(at now: Moment, _ outcome: inout Outcome) {
    for name in Array(kept.keys) where items[name] == nil { restoreKept(name, at: now, &outcome) }
  }

  /// Restores the kept versions of an entry that cannot be read.
  mutating func restoreKept(_ name: DomainName, at now: Moment, _ outcome: inout Outcome) {
    // If only a list of hosts was kept, there is no file to serve yet. The list is used as soon as
    // the folder can be read.
    guard let entry = kept[name], !entry.value.value.files.isEmpty else { return }
    let state = DomainState(DomainFolder.Entry(name: name))
    var reading = DomainReading()
    reading.facts.isFolderClosed = true
    let fault = Diagnostic(.hostedFileUnreadable, "the folder cannot be read")
    reading.hosts = .unreadable(fault)
    for number in options.wellKnownFiles.files.indices {
      reading.files[number] = .unreadable(fault)
    }
    restore(state, reading)
    if state.files.isEmpty { return }
    state.site = Site(name: name, answers: state.answers, now: now.wall)
    items[name] = state
    outcome.changes.namesChanged = true
    outcome.report.added.append(name)
  }
}

extension FileFinding {
  /// Whether this finding has no better version than the kept version, so that the kept version
  /// must be restored.
  fileprivate func hasNothingBetter(thanFlawed isFlawed: Bool, isHeld: Bool) -> Bool {
    switch self {
    case .usable: false
    case .flawed: !isFlawed
    case .unusable, .unreadable: true
    case .absent: isHeld
    }
  }
}
