internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Domains, as a kind of entries that are kept.
struct DomainKind {
  var reader: DomainReader
  var contents: ContentStore
  /// The hosts of lists. Few domains have one.
  var lists: [DomainName: ListedHosts] = [:]
  /// The domains with a list that could not be read yet.
  var unreadLists: Set<DomainName> = []
  /// The identity of `.aasa.json` when the folder was last listed.
  var policyIdentity = 0
  /// Whether it had changed then.
  var isPolicyNew = false
  /// Served domains on which the rules have not run yet.
  var unjudged: [DomainName] = []
  /// The domains that cost more than a turn. `postponed` are the ones that wait for a turn alone.
  var expensive: Set<DomainName> = []
  var postponed: [DomainName] = []

  init(_ options: HostingOptions) {
    contents = ContentStore(
      cacheControl: options.cacheControl, wellKnown: options.wellKnownFiles)
    reader = DomainReader(
      observer: DomainObserver(root: options.domains, wellKnown: options.wellKnownFiles),
      minification: options.minification, requiresExpectations: options.requiresExpectations,
      maker: contents.maker)
  }
}

typealias DomainRunner = KeeperRunner<DomainKind>

extension DomainRunner {
  init(
    _ options: HostingOptions, work: PatientWork = PatientWork(),
    isStopping: @escaping @Sendable () -> Bool = { false }
  ) {
    var folder = KeptFolder<DomainName>(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: options.domains,
      naming: \.entryName)
    folder.canConfirm = options.canConfirm
    self.init(
      Keeper(
        kind: DomainKind(options), options: options, root: options.domains, folder: folder),
      work: work, isStopping: isStopping)
  }

  /// Whether the folder must be listed again: it was replaced, names were added or removed, its
  /// policy has changed, or it does not answer.
  var isFolderChanged: Bool {
    guard let identity = keeper.folder.identity, !keeper.folder.isUnsettled else { return true }
    let (root, policy) = (root, keeper.kind.policyIdentity)
    return work.result(root) {
      guard let now = try? status(root), let directory = try? Directory(root) else { return true }
      return identity != now || policy != DomainObserver.policyIdentity(in: directory)
    } ?? true
  }

  /// Returns those of the domains whose files have changed since they were read.
  func changed(_ names: some Collection<DomainName>) -> [DomainName] {
    if keeper.folder.identity == nil { return [] }
    let observer = keeper.kind.reader.observer
    let known = names.compactMap { name in
      keeper.items[name].map { (entry: $0.entry, places: $0.places, identity: $0.identity) }
    }
    let isStopping = isStopping
    let areCurrent = work.results(
      known.count, slice: LoadingLimits.slice, threads: threads,
      path: { observer.path(of: known[$0].entry) },
      body: { range, deliver in
        guard let directory = try? Directory(observer.root) else { return }
        for (entry, places, identity) in known[range] where !isStopping() {
          let now = observer.identity(of: entry, places: places, in: directory)
          if !deliver(now == identity) { return }
        }
      })
    return zip(known, areCurrent).compactMap { $1 == false ? $0.entry.name : nil }
  }
}

extension Keeper<DomainKind> {
  /// Whether there may be unknown hosts, because the folder, a domain, or a list of hosts could not
  /// be read yet, or because names from before the start are missing.
  var isIncomplete: Bool {
    !folder.wasRead || !kind.unreadLists.isEmpty || !unread.isEmpty
      || folder.names.unseen.contains { items[$0] == nil }
  }

  /// Uses new options. If they affect what is served from a file, the next scan reads every file
  /// again.
  mutating func use(_ options: HostingOptions) {
    let last = self.options
    self.options = options
    if options.cacheControl == last.cacheControl && options.minification == last.minification
      && options.requiresExpectations == last.requiresExpectations
    {
      return
    }
    forgetFiles()
    let new = DomainKind(options)
    kind.use(new)
  }

  /// Lets the next whole scan read every file again.
  mutating func forgetFiles() {
    for item in items.values { item.identity = 0 }
  }
}

extension DomainKind {
  fileprivate mutating func use(_ new: DomainKind) {
    (contents, reader) = (new.contents, new.reader)
  }
}

extension DomainKind: KeptKind {
  typealias Kept = LastRun.Entry

  static var folderKey: ScanKey { .domainsFolder }
  static func key(of entry: DomainFolder.Entry) -> DomainName { entry.name }
  static func name(of entry: DomainFolder.Entry) -> DomainName { entry.name }
  static func scanKey(_ name: DomainName) -> ScanKey { .domain(name) }
  static func progress(_ options: HostingOptions) -> (@Sendable (Int, Int) -> Void)? {
    options.progress
  }
  static func isExpected(_ options: HostingOptions) -> Bool { true }

  static func lister(_ keeper: Keeper<Self>) -> DomainLister { DomainLister(root: keeper.root) }
  static func reader(_ keeper: Keeper<Self>, at now: Moment) -> DomainReader {
    keeper.kind.reader
  }

  static func task(
    _ entry: DomainFolder.Entry, _ asking: Asking<Set<String>>, _ look: Look<DomainName>,
    in keeper: Keeper<Self>
  ) -> DomainReader.Task {
    var task = DomainReader.Task(entry: entry, depth: look.depth)
    if !look.isStart { task.openLineTime = keeper.options.withdrawAfter }
    task.isAlone = look.isAlone
    task.isSettled = look.isFinal || look.settled.contains(entry.name)
    // Only the rules can show whether the file has a better version now.
    if !keeper.kept.isEmpty, keeper.kept[entry.name] != nil { task.depth = .rules }
    if let item = keeper.items[entry.name] {
      task.rememberedCases = item.rememberedCases
      task.served = item.files.all.compactMap { $0.value.answer.version?.content }
      if case .compare = asking { task.known = (item.places, item.identity) }
    }
    if case .find(let spellings) = asking { task.spellings = spellings }
    return task
  }

  static func requests(
    for look: Look<DomainName>, in keeper: Keeper<Self>
  ) -> [KeptRequest<Self>]? {
    look.names.map { name, spellings in
      KeptRequest(
        entry: keeper.items[name]?.entry ?? keeper.unread[name] ?? DomainFolder.Entry(name: name),
        asking: .find(spellings))
    }
  }

  static func isDue(
    _ entry: DomainFolder.Entry, _ item: DomainState, _ look: Look<DomainName>,
    in keeper: Keeper<Self>
  ) -> Bool {
    keeper.kind.isPolicyNew && (entry.file != nil || entry.assetLinksFile != nil)
      || look.isWhole && item.failures > 0
  }

  static func clue(
    to key: DomainName, _ item: DomainState, _ listing: DomainListing, _ look: Look<DomainName>,
    in keeper: Keeper<Self>
  ) -> Set<String>? {
    if case .withdraw = look.then { return [] }
    return item.isMissing && look.names[key] == nil ? nil : look.names[key] ?? []
  }

  static func note(
    _ listing: DomainListing, _ look: Look<DomainName>, in keeper: inout Keeper<Self>,
    at now: Moment, _ outcome: inout Outcome
  ) -> [KeptRequest<Self>] {
    keeper.note(listing, look, at: now, &outcome)
  }

  static func doubt(_ listing: DomainListing, in keeper: inout Keeper<Self>) {}

  static func restoreAll(in keeper: inout Keeper<Self>, at now: Moment) -> Outcome {
    keeper.restoreAll(at: now)
  }

  static func postpone(
    _ entry: DomainFolder.Entry, in keeper: inout Keeper<Self>, at now: Moment
  ) -> Outcome {
    var outcome = Outcome()
    keeper.items[entry.name]?.identity = 0
    if keeper.items[entry.name] == nil { outcome += keeper.restoreKept(entry.name, at: now) }
    if keeper.items[entry.name] == nil { keeper.unread[entry.name] = entry }
    return outcome
  }

  static func take(
    _ reading: DomainReading, of entry: DomainFolder.Entry, _ look: Look<DomainName>,
    in keeper: inout Keeper<Self>, at now: Moment
  ) -> Outcome {
    keeper.take(reading, of: reading.entry ?? entry, look, at: now)
  }

  static func isLast(in keeper: Keeper<Self>) -> Bool { false }

  static func withdraw(
    _ key: DomainName, in keeper: inout Keeper<Self>, at now: Moment, _ outcome: inout Outcome
  ) -> DomainFolder.Entry? {
    keeper.withdraw(key, at: now, &outcome)
  }

  static func holds(in keeper: Keeper<Self>) -> [Hold] {
    keeper.kind.lists.values.compactMap(\.hold)
  }

  static func doubtful(in keeper: Keeper<Self>) -> Set<DomainName> {
    keeper.folder.names.unseen.union(keeper.kind.lists.filter { $0.value.hold != nil }.keys)
  }

  static func confirm(
    _ ids: Set<String>, in keeper: inout Keeper<Self>, at now: Moment, _ outcome: inout Outcome
  ) -> Look<DomainName>? {
    keeper.confirmLists(ids, at: now, &outcome)
  }

  static func hasBackgroundWork(in keeper: Keeper<Self>) -> Bool {
    keeper.kind.contents.hasUncompressed
      || keeper.folder.identity != nil
        && !(keeper.kind.unjudged.isEmpty && keeper.kind.postponed.isEmpty)
  }

  static func workInBackground(
    in keeper: inout Keeper<Self>, at now: Moment
  ) -> [KeepEffect<Self>] {
    if !keeper.kind.postponed.isEmpty, keeper.folder.identity != nil {
      let name = keeper.kind.postponed.removeFirst()
      return requests(for: Look(names: [name: []]), in: keeper).map {
        [.read($0, Look(isListing: false, isAlone: true))]
      } ?? []
    }
    if keeper.kind.contents.hasUncompressed {
      keeper.kind.contents.compressNext()
      return []
    }
    let names = keeper.kind.unjudged.suffix(LoadingLimits.judgedAtOnce).filter { name in
      keeper.items[name]?.files.all.contains { $0.value.quality != .good } == true
    }
    keeper.kind.unjudged.removeLast(
      min(LoadingLimits.judgedAtOnce, keeper.kind.unjudged.count))
    if keeper.kind.unjudged.isEmpty { keeper.kind.unjudged = [] }
    let requests = names.compactMap { name in
      keeper.items[name].map { KeptRequest<Self>(entry: $0.entry, asking: .read) }
    }
    return requests.isEmpty ? [] : [.read(requests, Look(isListing: false))]
  }
}

extension DomainState: KeptItem {}
