internal import Diagnostics
internal import HTTP
internal import Posix

/// The domains folder as it is now and as it was last good: from names and files to sites.
///
/// Belongs to one thread.
struct DomainLoader {
  /// What a loading changed.
  struct Outcome {
    /// The entries whose answers are others than before.
    var changed: [DomainName] = []
    /// What there is to tell of the entries that were read and are others than before.
    var diagnostics: [Diagnostic] = []
    /// How many more there are of each code.
    var omitted: [String: Int] = [:]
    /// How many of the entries that were read have a file that cannot be served, as it is now.
    var failures = 0
  }

  let reader: DomainReader
  let threads: Int
  let entriesAtOnce: Int
  private var contents: ContentStore
  private(set) var states = EntryStates()
  /// What is wrong with which of them.
  private(set) var troubles = Troubles<DomainName>()
  private(set) var folderDiagnostics: [Diagnostic] = []
  /// Whether the folder could be listed when it was last read.
  private(set) var isFolderReadable = true
  private struct RecentFile: Hashable {
    let content: ObjectIdentifier
    let lastModified: Int64
  }

  /// What was served last, by content and time: links and copies that are as old share it.
  private var recentFiles: [RecentFile: ServedFile] = [:]
  /// The last one with a content that nobody had yet: it has no place there before another entry
  /// has that content too, for most never have.
  private var newestFile: ServedFile?
  private var later = LaterWork()
  private let progress: (@Sendable (Int, Int) -> Void)?

  /// - Parameters:
  ///   - threads: how many read when there is much to read; nil for one on each processor.
  ///   - entriesAtOnce: see `LoadingLimits`.
  init(
    root: String, cacheControl: String, minification: HostingOptions.Minification = .off,
    threads: Int? = nil, entriesAtOnce: Int = LoadingLimits.entriesAtOnce,
    progress: (@Sendable (Int, Int) -> Void)? = nil
  ) {
    self.progress = progress
    contents = ContentStore(cacheControl: cacheControl)
    reader = DomainReader(root: root, minification: minification, maker: contents.maker)
    self.threads = threads ?? availableProcessors()
    self.entriesAtOnce = entriesAtOnce
  }

  var root: String { reader.root }
  var sites: [Site] { states.all.map(\.site) }

  /// How many entries there are, and each of them.
  var count: Int { states.count }
  func entry(at index: Int) -> DomainFolder.Entry { states.all[index].entry }

  /// Whether what was read of an entry was outside its own folders, so that there is more to watch.
  func leadsOutside(_ entry: DomainFolder.Entry) -> Bool {
    states[entry.name]?.leadsOutside ?? true
  }

  /// The paths of files that an entry is read from, those that do not exist included.
  func paths(of name: DomainName) -> [String] {
    guard let entry = states[name]?.entry else { return [] }
    return reader.candidates(of: entry).all
  }

  /// The entry to which a name in the folder belongs.
  func entry(of name: String) -> DomainFolder.Entry? {
    let isDirectory = DomainFolder.isDirectory(root + "/" + name)
    guard case .part(let domain, _) = DomainFolder.classify(name, isDirectory: isDirectory)
    else { return nil }
    return states[domain]?.entry
  }

  /// Reads the folder and every file in it.
  ///
  /// When the folder itself cannot be read, everything stays as it is.
  mutating func loadAll() -> Outcome {
    var outcome = Outcome()
    let folder: DomainFolder
    do throws(SystemError) {
      folder = try DomainFolder(listing: root)
    } catch {
      let diagnostic = DomainFolder.unreadable(root, error, isServed: states.count > 0)
      if folderDiagnostics != [diagnostic] { outcome.diagnostics = [diagnostic] }
      folderDiagnostics = [diagnostic]
      isFolderReadable = false
      outcome.failures = 1
      return outcome
    }
    isFolderReadable = true
    outcome.diagnostics += folder.diagnostics.filter { !folderDiagnostics.contains($0) }
    folderDiagnostics = folder.diagnostics
    if states.count > 0 {
      for name in states.all.map(\.site.name) where folder.entries[name] == nil {
        forget(name, &outcome)
      }
    }
    states.reserveCapacity(folder.entries.count)
    loadMany(Array(folder.entries.values), listedCases: folder.cases, &outcome)
    forgetUnused()
    return outcome
  }

  /// Reads entries with all processors, one wave after the other.
  private mutating func loadMany(
    _ entries: [DomainFolder.Entry], listedCases: Set<String>, _ outcome: inout Outcome
  ) {
    let isSmall = entries.count <= entriesAtOnce
    let reader = reader
    let (progress, total) = (progress, entries.count)
    for start in stride(from: 0, to: entries.count, by: LoadingLimits.wave) {
      let wave = entries[start..<min(start + LoadingLimits.wave, entries.count)]
      let readings = inParallel(
        wave.count, slice: LoadingLimits.slice, threads: isSmall ? 1 : threads
      ) { slice in
        defer { progress?(slice.count, total) }
        return reader.read(
          wave[(start + slice.lowerBound)..<(start + slice.upperBound)],
          isSmall ? .whole : .errors, listedCases: listedCases)
      }
      var entry = start
      for reading in readings.joined() {
        take(reading, of: entries[entry], &outcome)
        entry += 1
      }
    }
    if isSmall {
      contents.compressAll()
    } else {
      later.begin(states.all.lazy.filter(\.owesWarnings).map(\.site.name))
    }
  }

  private mutating func forgetUnused() {
    recentFiles = [:]
    newestFile = nil
    contents.removeUnused()
  }

  /// Whether gzip is still to be made, or warnings to be told, of what is served already.
  var hasLaterWork: Bool { contents.hasUncompressed || !later.isDone }

  /// Does some of that, for so many milliseconds. What is to be told comes with the last of it.
  mutating func workLater(milliseconds: Int64) -> Outcome {
    let end = Clock.monotonicMilliseconds() + milliseconds
    while Clock.monotonicMilliseconds() < end {
      if contents.hasUncompressed {
        contents.compressNext()
      } else if let name = later.next() {
        if let state = states[name], state.owesWarnings { findWarnings(of: state) }
      } else {
        contents.removeUnused()
        Memory.returnFree()
        break
      }
    }
    var outcome = Outcome()
    if !hasLaterWork { (outcome.diagnostics, outcome.omitted) = later.takeFound() }
    return outcome
  }

  /// What the rules warn of in a version that is served already.
  private mutating func findWarnings(of state: EntryState) {
    var state = state
    let reading = reader.read(state.entry, .whole, &later.memory)
    // Another version by now: its change is noticed, and it is told of then.
    if reading.fingerprint != state.fingerprint { return }
    let toldHash = Self.hash(reading.ruleWarnings)
    if state.toldRulesHash != toldHash {
      later.take(reading.ruleWarnings)
      troubles.add(state.site.name, reading.ruleWarnings)
    }
    state.toldRulesHash = toldHash
    state.owesWarnings = false
    states[state.site.name] = state
  }

  /// Reads the entries again to which these names in the folder belong.
  mutating func reload(names: Set<String>) -> Outcome {
    // Without the folder it cannot be told that a name is gone.
    guard (try? status(root).kind) == .directory, names.count <= entriesAtOnce else {
      return loadAll()
    }
    var outcome = Outcome()
    // A host that moves from a file to a folder has two of the names.
    var namesByDomain: [DomainName: Set<String>] = [:]
    for name in names.sorted() {
      let kind = try? status(root + "/" + name).kind
      // A name that is gone may have been either.
      for isDirectory in kind.map({ [$0 == .directory] }) ?? [false, true] {
        guard
          case .part(let domain, _) = DomainFolder.classify(name, isDirectory: isDirectory)
        else { continue }
        namesByDomain[domain, default: []].insert(name)
      }
      if let kind, case .unknown = DomainFolder.classify(name, isDirectory: kind == .directory) {
        let folder = DomainFolder(path: root, names: [(name, kind == .directory)])
        outcome.diagnostics += folder.diagnostics.filter { !folderDiagnostics.contains($0) }
        folderDiagnostics += folder.diagnostics.filter { !folderDiagnostics.contains($0) }
      }
    }
    for (domain, names) in namesByDomain {
      if reload(domain, with: names, &outcome) { continue }
      // What was reloaded before does not change again.
      let rest = loadAll()
      outcome.changed += rest.changed
      outcome.diagnostics += rest.diagnostics
      outcome.failures = rest.failures
      break
    }
    forgetUnused()
    return outcome
  }

  /// Reads one domain again. False when only reading the whole folder can tell which of several
  /// entries of one host counts.
  private mutating func reload(
    _ domain: DomainName, with names: Set<String>, _ outcome: inout Outcome
  ) -> Bool {
    let names = names.union(states[domain]?.entry.names ?? [])
    let present = names.compactMap { name in
      (try? linkStatus(root + "/" + name)).map { _ in
        (name: name, isDirectory: DomainFolder.isDirectory(root + "/" + name))
      }
    }
    let folder = DomainFolder(path: root, names: present)
    if !folder.diagnostics.isEmpty || folderDiagnostics.contains(where: { $0.code == "H005" }) {
      return false
    }
    if let entry = folder.entries[domain] {
      load(entry, &outcome)
      return true
    }
    // Gone with the whole folder, it is still served.
    if (try? status(root)) == nil { return false }
    if states[domain] != nil { forget(domain, &outcome) }
    return true
  }

  private mutating func forget(_ name: DomainName, _ outcome: inout Outcome) {
    states[name] = nil
    troubles.remove(name)
    outcome.changed.append(name)
  }

  private mutating func load(_ entry: DomainFolder.Entry, _ outcome: inout Outcome) {
    let isCompressing = contents.hasUncompressed
    take(reader.read(entry), of: entry, &outcome)
    // While very many are compressed, this one is the next.
    if !isCompressing { contents.compressAll() }
  }

  private mutating func take(
    _ reading: DomainReading, of entry: DomainFolder.Entry, _ outcome: inout Outcome
  ) {
    let before = states[entry.name]
    var diagnostics = reading.warnings
    let association = availability(
      reading.association, before: before?.site.association ?? .absent, &diagnostics)
    let assetLinks = availability(
      reading.assetLinks, before: before?.site.assetLinks ?? .absent, &diagnostics)

    let site = Site(
      name: entry.name, association: association, assetLinks: assetLinks, after: before?.site,
      now: Clock.wallSeconds())
    let isSame = before?.site.isSame(as: site) ?? false
    var state = EntryState(
      entry, site: isSame ? before?.site ?? site : site, fingerprint: reading.fingerprint)
    if !isSame { outcome.changed.append(entry.name) }
    state.owesWarnings = reading.owesWarnings
    state.leadsOutside = reading.leadsOutside
    // Who saves another version wants to know that it is refused too, in whatever words.
    state.toldHash = Self.hash(diagnostics) ^ reading.refusedContent
    state.toldRulesHash = Self.hash(reading.ruleWarnings)
    if reading.owesWarnings {
      // What is known of the same version holds.
      state.toldRulesHash = before?.toldRulesHash ?? 0
      if let before, before.fingerprint == reading.fingerprint {
        state.owesWarnings = before.owesWarnings
      }
    }
    if state.toldHash != before?.toldHash ?? 0
      || state.toldRulesHash != before?.toldRulesHash ?? 0
    {
      outcome.diagnostics += diagnostics + reading.ruleWarnings
    }
    states[entry.name] = state
    if reading.isRefused { outcome.failures += 1 }
    // What the rules said of the same version, they would say again.
    if reading.owesWarnings, before?.fingerprint == reading.fingerprint { return }
    troubles.set(
      entry.name, diagnostics + reading.ruleWarnings,
      isLastGood: reading.isRefused && site.hasNothingUnavailable)
  }

  /// A number for what is to be told: it takes less memory than the texts.
  private static func hash(_ diagnostics: [Diagnostic]) -> Int {
    if diagnostics.isEmpty { return 0 }
    var hasher = Hasher()
    for diagnostic in diagnostics {
      hasher.combine(diagnostic.code)
      hasher.combine(diagnostic.message)
      hasher.combine(diagnostic.location?.path)
      hasher.combine(diagnostic.location?.place?.range)
      hasher.combine(diagnostic.note)
      hasher.combine(diagnostic.help)
    }
    return hasher.finalize()
  }

  /// What is served after a reading: a file that cannot be served keeps its last good version.
  private mutating func availability(
    _ file: DomainReading.File, before: Availability, _ diagnostics: inout [Diagnostic]
  ) -> Availability {
    switch file {
    case .absent:
      return .absent
    case .good(let made, let modified):
      // RFC 9110 8.8.2.1: never later than the time of the answer.
      let (content, isNew) = contents.adopt(made)
      let lastModified = min(modified, Clock.wallSeconds())
      if !isNew { return .served(sharedFile(content, lastModified)) }
      let file = ServedFile(content: content, lastModified: lastModified)
      newestFile = file
      return .served(file)
    case .refused(var diagnostic):
      if case .served(let file) = before {
        diagnostic.note = "its last good version is still served"
        diagnostics.append(diagnostic)
        return .served(file)
      }
      diagnostic.note = "until it is mended, requests for it are answered with 503"
      diagnostics.append(diagnostic)
      return .unavailable
    }
  }

  private mutating func sharedFile(_ content: Content, _ lastModified: Int64) -> ServedFile {
    let key = RecentFile(content: ObjectIdentifier(content), lastModified: lastModified)
    if let recent = recentFiles[key] { return recent }
    var file = newestFile
    if file?.content !== content || file?.lastModified != lastModified { file = nil }
    if recentFiles.count >= LoadingLimits.remembered {
      recentFiles.removeAll(keepingCapacity: true)
    }
    let shared = file ?? ServedFile(content: content, lastModified: lastModified)
    recentFiles[key] = shared
    return shared
  }
}
