internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// The versions that a restart would lose, and those that the last run kept.
extension DomainLoader {
  /// The entries whose served version is no longer in their files, in no particular order.
  var atRisk: [KeptVersions.Wish] {
    var names = folder.names.held == nil ? [] : Set(folder.names.missing.keys)
    for (name, problem) in problems.all where problem.isLastGood { names.insert(name) }
    for (name, list) in lists where list.isLossLarge { names.insert(name) }
    if folder.isUnknown { names.formUnion(states.keys) }
    let risks = names.compactMap { (name) -> KeptVersions.Wish? in
      guard let state = states[name] else { return nil }
      var hasher = Hasher()
      var count = 0
      for file in filesAtRisk(of: state) {
        count += 1
        hasher.combine(file.place)
        hasher.combine(file.version)
        hasher.combine(file.isHeld)
      }
      return count == 0 ? nil : KeptVersions.Wish(key: .entry(name), mark: hasher.finalize() | 1)
    }
    // Entries that have not been compared with the folder yet stay as the last run wrote them.
    let unread = kept.keys.filter { states[$0] == nil }
    return risks + unread.map { KeptVersions.Wish(key: .entry($0), mark: KeptVersions.asWritten) }
  }

  /// Returns the versions of an entry to keep; nil if there are none.
  func keptEntry(of name: DomainName) -> KeptEntry? {
    guard let state = states[name] else { return nil }
    let parts = filesAtRisk(of: state).map { file in
      KeptEntry.Part(
        place: file.place, bytes: file.bytes, lastModified: file.lastModified,
        isFlawed: file.isFlawed, isHeld: file.isHeld)
    }
    return parts.isEmpty ? nil : KeptEntry(parts: parts, time: Clock.wallSeconds())
  }

  private struct FileAtRisk {
    let place: KeptEntry.Place
    let version: UInt64
    let bytes: [UInt8]
    let lastModified: Int64
    let isFlawed: Bool
    let isHeld: Bool
  }

  private func filesAtRisk(of state: DomainState) -> [FileAtRisk] {
    let name = state.entry.name
    let isNameHeld = folder.isHeld(name)
    // If the folder is missing, all files count as held.
    let areAllHeld = folder.isUnknown || isNameHeld && !state.isMissing
    func isHeld<Version>(_ file: FileState<Version>) -> Bool {
      areAllHeld || isNameHeld && file.isMissing
    }
    var result: [FileAtRisk] = []
    func add(_ place: KeptEntry.Place, _ file: FileState<ServedFile>) {
      guard let served = file.answer.version, file.isLastGood || isHeld(file) else { return }
      let isSigned = served.content.kind == .signedAssociation
      result.append(
        FileAtRisk(
          place: isSigned ? .signedAssociation : place, version: served.content.version,
          bytes: served.content.identity.body, lastModified: served.lastModified,
          isFlawed: file.quality == .flawed, isHeld: isHeld(file)))
    }
    for (number, file) in state.files.all {
      add(.file(options.wellKnownFiles.files[number].name), file)
    }
    let held = lists[name].map { $0.isLossLarge ? $0.kept : [] } ?? []
    if let list = state.hosts.answer.version,
      state.hosts.isLastGood || isHeld(state.hosts) || !held.isEmpty
    {
      let bytes = list.bytes(with: held)
      result.append(
        FileAtRisk(
          place: .hosts, version: UInt64(bitPattern: Int64(bytes.hashValue)), bytes: bytes,
          lastModified: 0, isFlawed: false, isHeld: isHeld(state.hosts)))
    }
    return result
  }

  // MARK: At the start

  /// Uses what the last run kept.
  mutating func take(_ state: KeptState) {
    kept = state.entries
    folder.take(
      known: state.known, held: Set(kept.filter(\.value.isHeld).keys),
      at: Clock.monotonicMilliseconds())
  }

  /// Decides which kept versions still count, on the first read of the folder.
  mutating func begin(_ found: DomainFolder, at now: Int64) {
    func isFound(_ name: DomainName) -> Bool {
      found.entries[name] != nil || found.lists[name] != nil
    }
    for name in folder.begin(at: now, isFound: isFound) { kept[name]?.hold() }
    kept = kept.filter { isFound($0.key) || $0.value.isHeld }
  }

  /// Returns the kept entries without a file in the folder. Their loss is held, or only their list of
  /// hosts is left.
  func keptEntries(without found: DomainFolder) -> [DomainFolder.Entry] {
    kept.keys.filter { found.entries[$0] == nil && states[$0] == nil }
      .map { found.lists[$0] ?? DomainFolder.Entry(name: $0) }
  }

  /// Restores the kept versions of an entry that is read for the first time, unless its files have
  /// better ones now.
  mutating func restore(_ state: DomainState, _ reading: DomainReading) {
    if kept.isEmpty { return }
    guard let entry = kept.removeValue(forKey: state.entry.name) else { return }
    for part in entry.parts {
      switch part.place {
      case .file, .signedAssociation:
        let name = part.place.fileName
        guard let number = options.wellKnownFiles.files.firstIndex(where: { $0.name == name }),
          // A closed folder may hide the file. A file whose list is still there was not removed on
          // purpose.
          reading.files[number]?.hasNothingBetter(than: part)
            ?? (part.isHeld || reading.facts.isFolderClosed || state.entry.lacksFile)
        else { continue }
        let isSigned = part.place == .signedAssociation
        state.files[number] = restored(part, isSigned ? .signedAssociation : .file(number))
      case .hosts:
        // If there is another list now, judge what it has lost, as at a reload.
        if case .absent = reading.hosts, !part.isHeld { continue }
        let path = reading.hostsPath ?? "\(root)/\(state.entry.name.entryName).hosts"
        state.hosts.answer = .version(HostsFile(SourceText(path: path, bytes: part.bytes)))
      case .certificate: continue
      }
    }
  }

  private mutating func restored(
    _ part: KeptEntry.Part, _ kind: ContentKind
  ) -> FileState<ServedFile> {
    var state = FileState<ServedFile>()
    let content = contents.adopt(reader.maker.content(of: part.bytes, kind: kind))
    state.answer = .version(ServedFile(content: content, lastModified: part.lastModified))
    state.quality = part.isFlawed ? .flawed : .good
    return state
  }

  /// Restores everything that was kept, because the folder cannot be trusted.
  mutating func restoreAll() -> Outcome {
    var outcome = Outcome()
    for name in Array(kept.keys) where states[name] == nil { outcome += restoreKept(name) }
    return outcome
  }

  /// Restores what was kept of an entry that cannot be read.
  mutating func restoreKept(_ name: DomainName) -> Outcome {
    var outcome = Outcome()
    // A list alone has no answers. It counts as soon as the folder can be read.
    guard let entry = kept[name], entry.parts.contains(where: { $0.place != .hosts }) else {
      return outcome
    }
    let state = DomainState(DomainFolder.Entry(name: name))
    var reading = DomainReading()
    reading.facts.isFolderClosed = true
    restore(state, unread: &reading)
    if state.files.isEmpty { return outcome }
    state.site = Site(name: name, answers: state.answers, now: Clock.wallSeconds())
    states[name] = state
    outcome.changes.namesChanged = true
    outcome.report.added.append(name)
    return outcome
  }

  private mutating func restore(_ state: DomainState, unread reading: inout DomainReading) {
    let fault = Diagnostic(.hostedFileUnreadable, "the folder cannot be read")
    reading.hosts = .unreadable(fault)
    for number in options.wellKnownFiles.files.indices {
      reading.files[number] = .unreadable(fault)
    }
    restore(state, reading)
  }
}

extension FileFinding {
  /// Whether a kept version is still the best version.
  fileprivate func hasNothingBetter(than part: KeptEntry.Part) -> Bool {
    switch self {
    case .usable: false
    case .flawed: !part.isFlawed
    case .unusable, .unreadable: true
    case .absent: part.isHeld
    }
  }
}
