internal import Catalog
internal import Posix
internal import Settings

/// Decides what is served from the entries of the domains folder.
struct DomainKeeper {
  var options: HostingOptions
  let root: String
  var items: [DomainName: DomainState] = [:]
  var problems = ProblemTable<DomainName>()
  var folder: KeptFolder<DomainName>
  /// The entries that were listed but could not be read yet, for example because a file is being
  /// written or a read hangs.
  var unread: [DomainName: DomainFolder.Entry] = [:]
  /// The existing entries that were still changing when they were last read.
  var unsettled: Set<DomainName> = []
  /// The versions that the last run kept, for the entries that have not been read yet.
  var kept: [DomainName: LastRun.Kept<Boxed<DomainReading>>] = [:]
  var reader: DomainReader
  var contents: ContentStore
  /// The hosts of each list. The key is the domain of the entry with the list. Few domains have a
  /// list.
  var lists: [DomainName: ListedHosts] = [:]
  /// The domains with a list that could not be read yet.
  var unreadLists: Set<DomainName> = []
  /// The identity of the file `.aasa.json` when the domains folder was last listed.
  var policyIdentity = 0
  /// Whether the last listing showed that `.aasa.json` has changed.
  var isPolicyNew = false
  /// The served domains whose files have not been checked against the rules yet.
  var unjudged: [DomainName] = []
  /// The domains whose check was not completed at the last reading, because the check would have
  /// exceeded the limits in `Turn`.
  var expensive: Set<DomainName> = []

  init(_ options: HostingOptions) {
    self.options = options
    root = options.domains
    folder = KeptFolder(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: root,
      canConfirm: options.canConfirm, naming: \.entryName)
    contents = ContentStore(
      cacheControl: options.cacheControl, wellKnown: options.wellKnownFiles)
    reader = DomainReader(
      observer: DomainObserver(root: root, wellKnown: options.wellKnownFiles),
      minification: options.minification, requiresExpectations: options.requiresExpectations,
      maker: contents.maker)
  }
}

typealias DomainRunner = KeeperRunner<DomainKeeper>

extension DomainRunner {
  /// Whether the domains folder must be listed again. This is the case if the folder was replaced,
  /// if names were added or removed, if the file `.aasa.json` has changed, or if the file system
  /// does not answer.
  var isFolderChanged: Bool {
    guard let identity = keeper.folder.identity, !keeper.folder.isUnsettled else { return true }
    let (root, policy) = (root, keeper.policyIdentity)
    return work.result(root) {
      guard let now = try? status(root), let directory = try? Directory(root) else { return true }
      return identity != now || policy != DomainObserver.policyIdentity(in: directory)
    } ?? true
  }

  /// Returns the domains in `names` whose files have changed since they were read.
  func changed(_ names: some Collection<DomainName>) -> [DomainName] {
    if keeper.folder.identity == nil { return [] }
    let observer = keeper.reader.observer
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

extension DomainKeeper {
  /// Whether there may be hosts that the server does not know yet. This is the case if the domains
  /// folder, a domain or a list of hosts could not be read yet, or if names that the last run found
  /// are missing.
  var isIncomplete: Bool {
    !folder.wasRead || !unreadLists.isEmpty || !unread.isEmpty
      || folder.names.unseen.contains { items[$0] == nil }
  }

  /// Uses new options. If the new options affect what is served from a file, the next scan reads
  /// every file again.
  mutating func use(_ options: HostingOptions) {
    let last = self.options
    self.options = options
    if options.cacheControl == last.cacheControl && options.minification == last.minification
      && options.requiresExpectations == last.requiresExpectations
    {
      return
    }
    forgetFiles()
    let new = DomainKeeper(options)
    (contents, reader) = (new.contents, new.reader)
  }

  /// Makes the next scan of the whole folder read every file again.
  mutating func forgetFiles() {
    for item in items.values { item.identity = 0 }
  }
}

extension DomainKeeper: Keeper {
  static var folderKey: ScanKey { .domainsFolder }
  static func key(of entry: DomainFolder.Entry) -> DomainName { entry.name }
  static func name(of entry: DomainFolder.Entry) -> DomainName { entry.name }
  static func scanKey(_ name: DomainName) -> ScanKey { .domain(name) }
  var progress: (@Sendable (Int, Int) -> Void)? { options.progress }
  var isExpected: Bool { true }

  var lister: @Sendable () throws(SystemError) -> DomainListing {
    { [root] () throws(SystemError) in try DomainListing(root) }
  }
  func reader(at now: Moment) -> DomainReader { reader }

  func task(
    _ entry: DomainFolder.Entry, _ asking: Asking<Set<String>>, _ pass: Pass<DomainName>
  ) -> DomainReader.Task {
    var task = DomainReader.Task(entry: entry, asking: asking, depth: pass.depth)
    if !pass.isStart { task.openLineTime = options.withdrawAfter }
    task.isAlone = pass.isAlone
    task.isSettled = pass.isFinal || pass.settled.contains(entry.name)
    // The file may now have a better version than the version that the last run kept. To find out,
    // check all rules.
    if !kept.isEmpty, kept[entry.name] != nil { task.depth = .rules }
    if let item = items[entry.name] {
      (task.places, task.identity) = (item.places, item.identity)
      task.rememberedCases = item.rememberedCases
      task.served = item.files.all.compactMap { $0.value.answer.version?.content }
    }
    return task
  }

  func requestsWithoutListing(for pass: Pass<DomainName>) -> [KeptRequest<Self>]? {
    pass.names.map { name, names in
      KeptRequest(
        entry: items[name]?.entry ?? unread[name] ?? DomainFolder.Entry(name: name),
        asking: .find(names))
    }
  }

  func isDue(_ entry: DomainFolder.Entry, _ item: DomainState, _ pass: Pass<DomainName>) -> Bool {
    isPolicyNew && (entry.file != nil || entry.assetLinksFile != nil)
      || pass.isWhole && item.failures > 0
  }

  func clue(
    to key: DomainName, _ item: DomainState, _ listing: DomainListing, _ pass: Pass<DomainName>
  ) -> Set<String>? {
    if case .withdraw = pass.then { return [] }
    return item.isMissing && pass.names[key] == nil ? nil : pass.names[key] ?? []
  }

  mutating func doubt(_ listing: DomainListing) {}

  mutating func postpone(
    _ entry: DomainFolder.Entry, at now: Moment, _ outcome: inout Outcome
  ) {
    items[entry.name]?.identity = 0
    if items[entry.name] == nil { restoreKept(entry.name, at: now, &outcome) }
    if items[entry.name] == nil { unread[entry.name] = entry }
  }

  var isLast: Bool { false }
  var otherHolds: [Hold] { lists.values.compactMap(\.hold) }
  var doubtful: Set<DomainName> {
    folder.names.unseen.union(lists.filter { $0.value.hold != nil }.keys)
  }

  var hasBackgroundWork: Bool {
    contents.hasUncompressed || folder.identity != nil && !unjudged.isEmpty
  }

  mutating func workInBackground(at now: Moment) -> [KeepEffect<Self>] {
    if contents.hasUncompressed {
      contents.compressNext()
      return []
    }
    // Copy the names. A slice would share the memory of the array, and the removal would then have
    // to copy the whole array.
    let names = Array(unjudged.suffix(LoadingLimits.judgedAtOnce))
    unjudged.removeLast(names.count)
    if unjudged.isEmpty { unjudged = [] }
    let requests = names.compactMap { items[$0] }.filter { item in
      item.files.all.contains { $0.value.quality != .good }
    }.map { KeptRequest<Self>(entry: $0.entry, asking: .read) }
    return requests.isEmpty ? [] : [.read(requests, Pass(isListing: false))]
  }
}

extension DomainState: KeptItem {}
