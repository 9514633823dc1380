internal import Catalog
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Posix
internal import Settings

/// The domains folder: its entries, their faults, and the files that are served.
///
/// Belongs to one thread. A scan of some names changes only the domains of these names.
struct DomainLoader {
  private(set) var options: HostingOptions
  private(set) var reader: DomainReader
  var contents: ContentStore
  var states: [DomainName: DomainState] = [:]
  /// The problems of each domain.
  var problems = ProblemTable<DomainName>()
  /// The number of consecutive failed reads of each domain's files, and since when.
  private(set) var failures: [DomainName: (count: Int, since: Int64)] = [:]
  var folder: KeptFolder<DomainName>
  /// Runs all reads of the folder.
  let work: PatientWork
  /// Whether the program is to end, so that no more files are read.
  let isStopping: @Sendable () -> Bool
  /// Determined once, because that reads several system files.
  private let processors = availableProcessors()
  /// The entries that were listed and not read yet, for example because their file is being written
  /// or a read hangs.
  var unread: [DomainName: DomainFolder.Entry] = [:]
  /// The domains with a list of hosts that could not be read yet.
  var unreadLists: Set<DomainName> = []
  /// The hosts of lists. Few domains have a list.
  var lists: [DomainName: ListedHosts] = [:]
  /// What the last run kept, for entries that have not been read yet.
  var kept: [DomainName: LastRun.Entry] = [:]
  /// The identity of `.aasa.json` when the folder was last listed.
  var policyIdentity = 0
  /// Served domains on which the rules have not run yet.
  var unjudged: [DomainName] = []

  init(
    _ options: HostingOptions, work: PatientWork = PatientWork(),
    isStopping: @escaping @Sendable () -> Bool = { false }
  ) {
    self.options = options
    self.isStopping = isStopping
    self.work = work
    contents = Self.store(options)
    reader = Self.reader(options, contents)
    folder = KeptFolder(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: options.domains,
      naming: \.entryName)
    folder.canConfirm = options.canConfirm
  }

  private static func store(_ options: HostingOptions) -> ContentStore {
    ContentStore(cacheControl: options.cacheControl, wellKnown: options.wellKnownFiles)
  }

  private static func reader(_ options: HostingOptions, _ contents: ContentStore) -> DomainReader {
    DomainReader(
      observer: DomainObserver(root: options.domains, wellKnown: options.wellKnownFiles),
      minification: options.minification, requiresExpectations: options.requiresExpectations,
      maker: contents.maker)
  }

  /// Whether there may be unknown hosts, because the folder, a domain, or a list of hosts could not
  /// be read yet, or because names from before the start are missing.
  var isIncomplete: Bool {
    !folder.wasRead || !unreadLists.isEmpty || !unread.isEmpty
      || folder.names.unseen.contains { states[$0] == nil }
  }

  var root: String { options.domains }
  var threads: Int { options.threads ?? processors }

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
    contents = Self.store(options)
    reader = Self.reader(options, contents)
  }

  /// Lets the next whole scan read every file again.
  mutating func forgetFiles() {
    for name in Array(states.keys) { states[name]?.identity = 0 }
  }

  /// The mode of a scan.
  struct ScanMode {
    var depth = DomainReader.Depth.rules
    /// Domains whose writers have finished, according to events.
    var settled: Set<DomainName> = []
    /// Whether files that change during the scan are used as they are.
    var isFinal = false
    /// Whether files that are still missing are withdrawn.
    var withdraws = false
    /// Whether the server is starting, so that all domains were there before.
    var isStart = false
    var threads = 1
  }

  /// Scans entries, and decides what is served from them.
  mutating func scan(_ entries: [DomainFolder.Entry], _ mode: ScanMode) -> Outcome {
    var outcome = Outcome()
    let now = Clock.monotonicMilliseconds()
    let waves = stride(from: 0, to: entries.count, by: LoadingLimits.wave).map {
      entries[$0..<min($0 + LoadingLimits.wave, entries.count)]
    }
    var pending = waves.first.map { beginReading($0, mode) }
    for (number, wave) in waves.enumerated() {
      let readings = pending?.results() ?? []
      // The next wave is read while this one is decided.
      pending = number + 1 < waves.count ? beginReading(waves[number + 1], mode) : nil
      // The folder was closed or replaced during the scan: the next scan reports that, once.
      let isUntaken =
        readings.contains { $0?.value.hasUnreadable == true } && isFolderAnother != false
      var hanging: [DomainFolder.Entry] = []
      for (entry, reading) in zip(wave, readings) {
        if isUntaken {
          outcome += take(.untaken, of: entry, mode, now: now)
        } else if let reading, !isStopping() {
          outcome += take(reading.value, of: entry, mode, now: now)
        } else {
          hanging.append(entry)
        }
      }
      if !hanging.isEmpty { outcome += postpone(hanging) }
    }
    return outcome
  }

  // MARK: Deciding

  /// Uses what was read of one domain, unless the domain is still changing.
  private mutating func take(
    _ reading: DomainReading, of entry: DomainFolder.Entry, _ mode: ScanMode, now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    let name = entry.name
    if reading.facts.settlingTime > 0 {
      if states[name] == nil, entry.servesFiles || entry.lacksFile { unread[name] = entry }
      outcome.again.append((.domain(name), now + reading.facts.settlingTime))
      return outcome
    }
    outcome.hasRead = true
    if !unread.isEmpty { unread[name] = nil }
    let isNew = states[name] == nil
    if isNew && !entry.servesFiles && kept[name] == nil { return outcome }
    let state = states[name] ?? DomainState(entry)
    if isNew { restore(state, reading) }
    state.entry = entry
    var reading = reading
    if reading.files.isEmpty, !state.files.isEmpty, let list = entry.hostsFile {
      reading.hide(by: .hostsWithoutFile(at: "\(root)/\(list)"), state)
    }
    outcome += decide(state, reading, mode, isNew: isNew, now: now)
    return outcome
  }

  /// Decides what is served for one domain, and publishes it.
  private mutating func decide(
    _ state: DomainState, _ reading: DomainReading, _ mode: ScanMode, isNew: Bool, now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    let name = state.entry.name
    var decision = DomainDecision(reading, withdraws: mode.withdraws)
    let isSame = !isNew && state.identity == reading.facts.identity
    (state.identity, state.places) = (reading.facts.identity, reading.facts.places)
    if reading.facts.doubtfulTime > 0 {
      outcome.again.append((.domain(name), now + reading.facts.doubtfulTime))
    }
    if state.hasLists || reading.hasLists {
      decision.decideCases(state, reading.cases)
      outcome += decideHosts(
        state, &decision, reading, isNew: isNew, isStart: mode.isStart, now: now)
    }
    var findings = ByFile<FileFinding<ServedFile>>()
    for (number, finding) in reading.files.all {
      findings[number] = finding.map { file in
        // All files with the same bytes share one content.
        let content = contents.adopt(file.content)
        // RFC 9110 8.8.2.1: never later than the time of the answer.
        let time = min(file.lastModified, Clock.wallSeconds())
        let last = state.files[number]?.answer.version
        if let last, last.content === content, last.lastModified == time { return last }
        return ServedFile(content: content, lastModified: time)
      }
      if case .flawed = finding { judge(number, state, ignoring: reading.ignored) }
    }
    let page = options.wellKnownFiles.page
    decision.decideFiles(state, findings, page: page, isNew: isNew)
    if state.page != nil || state.files[page] != nil {
      let justRead = findings[WellKnownFiles.association]?.version?.content
      updatePage(state, &decision, justRead, reading.association)
    }
    if reading.needsJudging { unjudged.append(name) }
    let isPatient = !mode.isStart && !mode.isFinal
    outcome += note(
      decision, of: name, reading, isSame: isSame, isPatient: isPatient, now: now)
    let notesMark = reading.notes.isEmpty ? 0 : reportMark(reading.notes)
    if notesMark != state.notesMark { outcome.report.add(reading.notes) }
    state.notesMark = notesMark
    let withdrawAfter = options.withdrawAfter
    if isNew && !mode.isStart { folder.add(name, at: now, withdrawAfter: withdrawAfter) }
    if decision.isWithdrawn && !state.isGone {
      folder.withdraw(name, isWhole: false, at: now)
    }
    if !state.isMissing {
      folder.find(name, at: now)
    } else {
      folder.miss(
        name, isMore: decision.isMoreMissing, at: now, withdrawAfter: withdrawAfter)
    }
    outcome += publish(state, isNew: isNew, decision, now: now)
    return outcome
  }

  /// Compiles the association file for the page, if there is a page.
  ///
  /// - Parameters:
  ///   - justRead: The content that was just read. An older one may still be served.
  ///   - document: The parsed form of `justRead`.
  private func updatePage(
    _ state: DomainState, _ decision: inout DomainDecision, _ justRead: Content?,
    _ document: Document?
  ) {
    guard state.files[options.wellKnownFiles.page]?.answer.version != nil,
      let content = state.files[WellKnownFiles.association]?.answer.version?.content
    else {
      state.page = nil
      return
    }
    if state.page?.content !== content {
      let name = state.entry.file ?? state.entry.folder ?? ""
      state.page = PageMatch(
        content, content === justRead ? document : nil, path: "\(root)/\(name)")
    }
    if let fault = state.page?.fault { decision.diagnostics.append(fault) }
  }

  /// Judges the served version when a faulty one is about to be compared with it.
  private func judge(_ number: Int, _ state: DomainState, ignoring codes: Set<String>) {
    guard state.files[number]?.quality == .unjudged,
      let file = state.files[number]?.answer.version
    else { return }
    let hasErrors = reader.hasErrors(file.content, number, ignoring: codes)
    state.files[number]?.quality = hasErrors ? .flawed : .good
  }

  /// Records problems, the time of the next scan, and what to report.
  ///
  /// - Parameters:
  ///   - isSame: Whether the files are unchanged since the last reading was reported.
  ///   - isPatient: Whether an unreadable file is reported only if that lasts, because a link may
  ///     lead nowhere for a moment while its target is replaced.
  private mutating func note(
    _ decision: DomainDecision, of name: DomainName, _ reading: DomainReading, isSame: Bool,
    isPatient: Bool, now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    if decision.isUnreadable {
      var failed = failures[name] ?? (0, now)
      failed.count += 1
      failures[name] = failed
      outcome.again.append((.domain(name), now + retryPause(afterFailures: failed.count)))
      let due = failed.since + ObservationLimits.lastingFault
      if isPatient, now < due {
        outcome.again.append((.domain(name), due))
        return outcome
      }
    } else {
      failures[name] = nil
    }
    if decision.hasFault { outcome.failures += 1 }
    // Missing files cause no new problems; the known ones stay.
    if decision.isMissing && !decision.hasFault { return outcome }
    let known = isSame ? problems[name]?.diagnostics ?? [] : []
    let isNews = problems.note(
      name, decision.diagnostics, isLastGood: decision.isLastGood, content: reading.refusedContent)
    if isNews { outcome.report.add(decision.diagnostics.filter { !known.contains($0) }) }
    return outcome
  }

  /// Makes a new site for the domain if its answers have changed.
  private mutating func publish(
    _ state: DomainState, isNew: Bool, _ decision: DomainDecision, now: Int64
  ) -> Outcome {
    var outcome = Outcome()
    let name = state.entry.name
    let site = Site(
      name: name, answers: state.answers, opensApp: state.page?.opensApp,
      after: isNew ? nil : state.site, now: Clock.wallSeconds())
    if state.isGone {
      forget(name, at: now)
      outcome.changes.namesChanged = true
      if decision.isWithdrawn { outcome.report.removed.append(name.description) }
      return outcome
    }
    if decision.hostsChanged { outcome.changes.namesChanged = true }
    if isNew {
      outcome.changes.namesChanged = true
      outcome.report.added.append(name)
      state.site = site
    } else if !state.site.isSame(as: site) {
      outcome.changes.sites.append(site)
      if decision.isWithdrawn {
        outcome.report.removed.append(name.description + withdrawn(from: state.site, site))
      } else {
        outcome.report.changed.append(name)
      }
      state.site = site
    }
    states[name] = state
    return outcome
  }

  /// Returns the names of files that lost their answer, if the association file still has one.
  private func withdrawn(from before: Site, _ after: Site) -> String {
    if case .absent = after.association { return "" }
    let names = options.wellKnownFiles.files.enumerated().filter { number, _ in
      guard case .absent = after.availability(of: number) else { return false }
      if case .absent = before.availability(of: number) { return false } else { return true }
    }.map(\.element.name)
    return names.isEmpty ? "" : " (its \(names.joined(separator: ", ")))"
  }

  mutating func forget(_ name: DomainName, at now: Int64) {
    states[name] = nil
    problems.remove(name)
    failures[name] = nil
    lists[name] = nil
    unreadLists.remove(name)
    folder.withdraw(name, at: now)
  }
}

extension Diagnostic {
  /// The file of a list's hosts is missing. As long as the list is there, that was not on purpose.
  fileprivate static func hostsWithoutFile(at list: String) -> Diagnostic {
    Diagnostic(
      .hostsWithoutFile, severity: .error,
      "the file of these hosts is missing, and their list is still there", at: .init(path: list),
      help: "put the file back, or remove the list too")
  }
}

/// A hash of the diagnostics to be reported, which takes less memory than their texts.
func reportMark(_ diagnostics: [Diagnostic]) -> Int {
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
