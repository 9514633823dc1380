internal import Catalog
internal import Posix
internal import Settings

/// All reads of the folder. They run on other threads, because a file system may never answer.
extension DomainLoader {
  /// Whether the folder cannot be read now, because reads in it hang.
  var isWaiting: Bool { work.isWaiting }

  // MARK: The folder

  /// Whether the domains folder was replaced by another one, or cannot be trusted; nil if it does
  /// not answer.
  var isFolderAnother: Bool? {
    guard let identity = folder.identity else { return true }
    return work.result(root) { [root] in
      // Looking up `.` needs permission to search the folder.
      guard let directory = try? Directory(root), let now = try? directory.status(".") else {
        return true
      }
      return identity.device != now.device || identity.inode != now.inode
    }
  }

  /// Whether the folder must be listed again: it was replaced, names were added or removed, its
  /// policy has changed, or it does not answer.
  var isFolderChanged: Bool {
    guard let identity = folder.identity, !folder.isUnsettled else { return true }
    let (root, policy) = (root, policyIdentity)
    return work.result(root) {
      guard let now = try? status(root), let directory = try? Directory(root) else { return true }
      return identity != now || policy != DomainObserver.policyIdentity(in: directory)
    } ?? true
  }

  /// Lists the folder; nil if it does not answer.
  func listing() -> Result<FolderListing, SystemError>? {
    work.result(root) { [root] in
      Result { () throws(SystemError) in try FolderListing(root) }
    }
  }

  // MARK: Domains

  /// Returns the entries of domains as they were last listed.
  func known(_ names: some Collection<DomainName>) -> [DomainFolder.Entry] {
    names.map { states[$0]?.entry ?? unread[$0] ?? DomainFolder.Entry(name: $0) }
  }

  /// Returns the names that domains have now. For a domain that does not answer, returns its known
  /// names.
  ///
  /// - Parameter spellings: Names in the folder that events mentioned.
  func currentEntries(
    of names: [DomainName], _ spellings: [DomainName: Set<String>] = [:]
  ) -> [DomainFolder.Entry] {
    let known = known(names)
    let found = results(of: known) { index, directory in
      let mentioned = spellings[known[index].name] ?? []
      return known[index].current(alsoCalled: mentioned, in: directory)
    }
    return zip(known, found).map { $1 ?? $0 }
  }

  /// Returns whether the files of known domains are unchanged since they were read; nil if they do
  /// not answer.
  func areCurrent(_ names: [DomainName]) -> [Bool?] {
    let observer = reader.observer
    let known = names.compactMap { name in
      states[name].map { (entry: $0.entry, places: $0.places, identity: $0.identity) }
    }
    return results(of: known.map(\.entry)) { index, directory in
      let (entry, places, identity) = known[index]
      return observer.identity(of: entry, places: places, in: directory) == identity
    }
  }

  /// Asks about entries by their positions; nil for those that were not reached before a read hung.
  private func results<Result: Sendable>(
    of entries: [DomainFolder.Entry],
    _ ask: @escaping @Sendable (Int, borrowing Directory) -> Result
  ) -> [Result?] {
    let (observer, isStopping) = (reader.observer, isStopping)
    return work.results(
      entries.count, slice: LoadingLimits.slice, threads: threads,
      path: { observer.path(of: entries[$0]) },
      body: { range, deliver in
        guard let directory = try? Directory(observer.root) else { return }
        for index in range where !isStopping() {
          if !deliver(ask(index, directory)) { return }
        }
      })
  }

  /// Returns those of the domains whose files have changed since they were read.
  func changed(_ names: some Collection<DomainName>) -> [DomainName] {
    if folder.identity == nil { return [] }
    let known = names.filter { states[$0] != nil }
    return zip(known, areCurrent(known)).compactMap { $1 == false ? $0 : nil }
  }

  /// Begins to read and judge the files of entries.
  func beginReading(
    _ entries: ArraySlice<DomainFolder.Entry>, _ mode: ScanMode
  ) -> PendingResults<BoxedReading> {
    let tasks = entries.map { entry in
      var task = DomainReader.Task(entry: entry, depth: mode.depth)
      if !mode.isStart { task.openLineTime = options.withdrawAfter }
      task.isSettled = mode.isFinal || mode.settled.contains(entry.name)
      // Only the rules can show whether the file has a better version now.
      if !kept.isEmpty, kept[entry.name] != nil { task.depth = .rules }
      if let state = states[entry.name] {
        task.rememberedCases = state.rememberedCases(withdraws: mode.withdraws)
        task.served = state.files.all.compactMap { $0.value.answer.version?.content }
      }
      return task
    }
    let (reader, isStopping) = (reader, isStopping)
    let (progress, total) = (options.progress, tasks.count)
    return work.begin(
      total, slice: max(1, min(LoadingLimits.slice, total / mode.threads)), threads: mode.threads,
      path: { reader.observer.path(of: tasks[$0].entry) },
      body: { range, deliver in
        var count = 0
        defer { progress?(count, total) }
        func take(_ reading: DomainReading) -> Bool {
          count += 1
          return deliver(BoxedReading(reading))
        }
        do throws(SystemError) {
          let root = try Directory(reader.observer.root)
          var shared: DomainReader.Policy?
          for task in tasks[range] where !isStopping() {
            if !take(reader.read(task, in: root, &shared)) { return }
          }
        } catch {
          // The folder can no longer be opened; the next scan reports why.
          for _ in range { if !take(.untaken) { return } }
        }
      })
  }

  // MARK: Hanging reads

  /// Notes entries that could not be read because a read hangs. What is served stays. When the read
  /// ends, the folder is listed again, and these entries are read.
  mutating func postpone(_ entries: some Collection<DomainFolder.Entry>) -> Outcome {
    var outcome = Outcome()
    for entry in entries {
      states[entry.name]?.identity = 0
      if states[entry.name] == nil { outcome += restoreKept(entry.name) }
      if states[entry.name] == nil { unread[entry.name] = entry }
    }
    folder.isUnsettled = true
    let time = Clock.monotonicMilliseconds() + LoadingLimits.hangingPause
    outcome.again.append((.domainsFolder, time))
    return outcome
  }
}

extension DomainObserver {
  /// The path that names an entry in messages.
  func path(of entry: DomainFolder.Entry) -> String {
    "\(root)/\(entry.file ?? entry.folder ?? entry.assetLinksFile ?? entry.name.entryName)"
  }
}

extension DomainFolder.Entry {
  /// Returns the domain's entry with the file names that exist now. Checks the names that it had
  /// and those that it may have.
  ///
  /// - Parameter names: Names that events mentioned.
  fileprivate func current(
    alsoCalled names: Set<String>, in directory: borrowing Directory
  ) -> DomainFolder.Entry {
    let known = DomainFolder.Part.allCases.compactMap { name(of: $0) }
    var candidates = names.union(known)
    for part in DomainFolder.Part.allCases {
      let usual = part.usualName(of: name)
      candidates.insert(usual)
      // Some file systems do not allow `*` in names. The name of a new file is not in the state
      // yet.
      if usual.hasPrefix("*.") { candidates.insert("_wildcard" + usual.dropFirst()) }
    }
    var entry = DomainFolder.Entry(name: name)
    for text in candidates {
      switch directory.find(text) {
      case .nothing: continue
      // A failed look-up proves nothing. Only a name that existed before may still exist.
      case .unknown where !known.contains(text): continue
      case .link, .other, .unknown:
        let isDirectory = FolderListing.isDirectory(text, in: directory)
        if case .part(let part, name) = NameClass(text, isDirectory: isDirectory) {
          _ = entry.add(text, as: part)
        }
      }
    }
    return entry.servesFiles || entry.lacksFile ? entry : DomainFolder.Entry(name: name)
  }
}
