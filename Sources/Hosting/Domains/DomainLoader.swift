internal import Diagnostics
internal import HTTP
internal import Posix

/// The domains folder: what is in it, what is served of it, and what is wrong with it.
///
/// Belongs to one thread. Looking at names never changes more than these names' domains.
struct DomainLoader {
  private(set) var options: HostingOptions
  private(set) var reader: DomainReader
  var contents: ContentStore
  var states: [DomainName: DomainState] = [:]
  /// What is wrong with which domain.
  var troubles = Troubles<DomainName>()
  /// Stands for what was reported of a domain, so that it is reported once.
  private var reported: [DomainName: Int] = [:]
  /// How often in a row something of a domain could not be read.
  private(set) var failures: [DomainName: Int] = [:]
  /// Since when a file with an answer has been missing, in milliseconds of the monotonic clock.
  var missing: [DomainName: Int64] = [:]
  /// When withdrawing was last tried.
  var lastWithdrawal = Int64.min / 2
  var folder = FolderState()
  /// Domains that are served and on which the rules have not run yet.
  private var unjudged: [DomainName] = []

  init(_ options: HostingOptions) {
    self.options = options
    contents = ContentStore(cacheControl: options.cacheControl)
    reader = DomainReader(
      observer: DomainObserver(root: options.domains), minification: options.minification,
      requiresExpectations: options.requiresExpectations, maker: contents.maker)
  }

  var root: String { options.domains }
  var threads: Int { options.threads ?? availableProcessors() }

  /// Takes other options. Where they change what is served of a file, every file is read again at
  /// the next look.
  mutating func use(_ options: HostingOptions) {
    let last = self.options
    self.options = options
    if options.cacheControl == last.cacheControl && options.minification == last.minification
      && options.requiresExpectations == last.requiresExpectations
    {
      return
    }
    for name in Array(states.keys) { states[name]?.identity = 0 }
    contents = ContentStore(cacheControl: options.cacheControl)
    reader = DomainReader(
      observer: DomainObserver(root: options.domains), minification: options.minification,
      requiresExpectations: options.requiresExpectations, maker: contents.maker)
  }

  /// What a look changed, and what there is to report.
  struct Outcome {
    var changes = CatalogChanges()
    var report = Report()
    /// Domains with a file that cannot be used as it is now.
    var failures = 0
    /// Domains to be looked at again, at a time in milliseconds of the monotonic clock.
    var again: [(name: DomainName, time: Int64)] = []
  }

  /// How a look is done.
  struct LookOptions {
    var depth = DomainReader.Depth.rules
    /// Domains whose writers have finished, as events said.
    var settled: Set<DomainName> = []
    /// Files that change while they are looked at are read as they are.
    var isFinal = false
    /// What has been missing for long enough is withdrawn.
    var mayWithdraw = false
    var threads = 1
  }

  /// Looks at entries, and decides what is served of them.
  mutating func look(
    at entries: [DomainFolder.Entry], _ look: LookOptions, _ outcome: inout Outcome
  ) {
    let now = Clock.monotonicMilliseconds()
    for start in stride(from: 0, to: entries.count, by: LoadingLimits.wave) {
      let wave = Array(entries[start..<min(start + LoadingLimits.wave, entries.count)])
      let tasks = wave.map { task(for: $0, look, now: now) }
      var readings = read(tasks, threads: look.threads)
      // The folder was closed or swapped meanwhile: the next look at it says so, once.
      if readings.contains(where: \.hasUnreadable), isFolderAnother {
        readings = wave.map { _ in .untaken }
      }
      for (entry, reading) in zip(wave, readings) {
        take(reading, of: entry, mayWithdraw: look.mayWithdraw, &outcome, now: now)
      }
    }
  }

  private func task(
    for entry: DomainFolder.Entry, _ look: LookOptions, now: Int64
  ) -> DomainReader.Task {
    var task = DomainReader.Task(entry: entry, depth: look.depth)
    task.isSettled = look.isFinal || look.settled.contains(entry.name)
    if let state = states[entry.name] {
      task.rememberedCases = state.rememberedCases(now: now, withdrawAfter: options.withdrawAfter)
    }
    return task
  }

  private func read(_ tasks: [DomainReader.Task], threads: Int) -> [DomainReading] {
    let (reader, progress, total) = (reader, options.progress, tasks.count)
    return inParallel(tasks.count, slice: LoadingLimits.slice, threads: threads) { range in
      defer { progress?(range.count, total) }
      do throws(SystemError) {
        return reader.read(tasks[range], in: try Directory(reader.observer.root))
      } catch {
        // The folder cannot be opened any more: the next look at it tells why.
        return range.map { _ in DomainReading.untaken }
      }
    }.flatMap(\.self)
  }

  // MARK: Deciding

  /// Decides what is served of one domain after a look at it.
  private mutating func take(
    _ reading: DomainReading, of entry: DomainFolder.Entry, mayWithdraw: Bool,
    _ outcome: inout Outcome, now: Int64
  ) {
    let name = entry.name
    if reading.unrest > 0 {
      outcome.again.append((name, now + reading.unrest))
      return
    }
    let isNew = states[name] == nil
    if isNew && !entry.servesFiles { return }
    var state = states[name] ?? DomainState(entry)
    var decision = DomainDecision(
      circumstances: .init(
        now: now, withdrawAfter: options.withdrawAfter, mayWithdraw: mayWithdraw),
      diagnostics: reading.warnings)
    state.entry = entry
    state.identity = reading.identity
    state.places = reading.places
    decision.decideCases(&state, reading.cases, reading.isFolderClosed)
    let hosts = state.hosts.answer.version
    state.hosts = decision.decide(state.hosts, reading.hosts)
    if decision.hostsChanged { report(hosts, state.hosts.answer.version, isNew: isNew, &outcome) }
    let association = served(reading.association)
    if case .flawed = association {
      judge(&state.association) { reader.hasErrors($0, ignoring: reading.ignored) }
    }
    state.association = decision.decideFile(
      state.association, association, isNew: isNew, reading.isFolderClosed)
    let assetLinks = served(reading.assetLinks)
    if case .flawed = assetLinks {
      judge(&state.assetLinks) { reader.hasErrors(assetLinks: $0, ignoring: reading.ignored) }
    }
    state.assetLinks = decision.decideFile(
      state.assetLinks, assetLinks, isNew: isNew, reading.isFolderClosed)
    if reading.needsJudging { noteUnjudged(reading, &state) }
    note(decision, of: name, reading, &outcome, now: now)
    missing[name] = state.missingSince
    publish(&state, isNew: isNew, decision, &outcome)
  }

  /// Reports which hosts came to a list, and which went.
  private func report(
    _ before: HostsFile?, _ after: HostsFile?, isNew: Bool, _ outcome: inout Outcome
  ) {
    if isNew { return }
    let (old, new) = (Set(before?.hosts ?? []), Set(after?.hosts ?? []))
    outcome.report.added += (after?.hosts ?? []).filter { !old.contains($0) }
    outcome.report.removed += (before?.hosts ?? []).filter { !new.contains($0) }
      .map(\.description)
  }

  /// The rules are still to run on a version that was just found.
  private mutating func noteUnjudged(_ reading: DomainReading, _ state: inout DomainState) {
    if case .usable = reading.association { state.association.quality = .unjudged }
    if case .usable = reading.assetLinks { state.assetLinks.quality = .unjudged }
    unjudged.append(state.entry.name)
  }

  /// The finding with the content that all who have these bytes share.
  private mutating func served(_ finding: Finding<MadeFile>) -> Finding<ServedFile> {
    switch finding {
    case .usable(let file): .usable(adopt(file))
    case .flawed(let file, let fault): .flawed(adopt(file), fault)
    case .unusable(let fault): .unusable(fault)
    case .unreadable(let fault): .unreadable(fault)
    case .absent: .absent
    }
  }

  private mutating func adopt(_ file: MadeFile) -> ServedFile {
    // RFC 9110 8.8.2.1: never later than the time of the answer.
    ServedFile(
      content: contents.adopt(file.content),
      lastModified: min(file.lastModified, Clock.wallSeconds()))
  }

  /// A faulty version is about to be compared with what is served: is that one good?
  private func judge(_ state: inout FileState<ServedFile>, hasErrors: (Content) -> Bool) {
    guard state.quality == .unjudged, let file = state.answer.version else { return }
    state.quality = hasErrors(file.content) ? .flawed : .good
  }

  /// Notes what is wrong, when to look again, and what to report.
  private mutating func note(
    _ decision: DomainDecision, of name: DomainName, _ reading: DomainReading,
    _ outcome: inout Outcome, now: Int64
  ) {
    if decision.isUnreadable {
      let count = failures[name, default: 0] + 1
      failures[name] = count
      outcome.again.append((name, now + RetryPause.milliseconds(afterFailures: count)))
    } else {
      failures[name] = nil
    }
    if decision.hasFault { outcome.failures += 1 }
    // Missing files say nothing new: what was wrong with them stays what is known.
    if decision.isMissing && !decision.hasFault { return }
    troubles.set(name, decision.diagnostics, isLastGood: decision.isLastGood)
    let mark =
      decision.diagnostics.isEmpty ? 0 : reportMark(decision.diagnostics) ^ reading.refusedContent
    if reported[name, default: 0] != mark { outcome.report.add(decision.diagnostics) }
    reported[name] = mark == 0 ? nil : mark
  }

  /// Makes the domain's site anew if its answers have changed.
  private mutating func publish(
    _ state: inout DomainState, isNew: Bool, _ decision: DomainDecision, _ outcome: inout Outcome
  ) {
    let name = state.entry.name
    let site = Site(
      name: name, association: state.association.availability,
      assetLinks: state.assetLinks.availability, after: isNew ? nil : state.site,
      now: Clock.wallSeconds())
    if state.isGone {
      forget(name)
      outcome.changes.namesChanged = true
      if decision.isWithdrawn { outcome.report.removed.append(name.description) }
      return
    }
    if decision.hostsChanged { outcome.changes.namesChanged = true }
    if isNew {
      outcome.changes.namesChanged = true
      outcome.report.added.append(name)
      state.site = site
    } else if !state.site.isSame(as: site) {
      outcome.changes.sites.append(site)
      if decision.isWithdrawn {
        let isWhole = !state.association.hasAnswer
        outcome.report.removed.append("\(name)" + (isWhole ? "" : " (its assetlinks.json)"))
      } else {
        outcome.report.changed.append(name)
      }
      state.site = site
    }
    states[name] = state
  }

  private mutating func forget(_ name: DomainName) {
    states[name] = nil
    troubles.remove(name)
    reported[name] = nil
    failures[name] = nil
    missing[name] = nil
  }

  /// Withdraws a domain whose folder is missing.
  mutating func withdraw(_ name: DomainName, _ outcome: inout Outcome) {
    forget(name)
    outcome.changes.namesChanged = true
    outcome.report.removed.append(name.description)
  }

  // MARK: Work in the background

  /// Whether there are domains on which the rules have not run, or contents without gzip.
  var hasBackgroundWork: Bool { hasNamesToJudge || contents.hasUncompressed }

  /// While the folder cannot be trusted, nothing in it is read.
  private var hasNamesToJudge: Bool { !unjudged.isEmpty && folder.identity != nil }

  /// Compresses and judges what is served already, for some milliseconds.
  mutating func workInBackground(milliseconds: Int64) -> Outcome {
    var outcome = Outcome()
    let end = Clock.monotonicMilliseconds() + milliseconds
    while hasBackgroundWork, Clock.monotonicMilliseconds() < end {
      if contents.hasUncompressed {
        contents.compressNext()
      } else if isFolderAnother {
        lookAtFolder(LookOptions(threads: threads), isWhole: false, &outcome)
      } else {
        let names = unjudged.suffix(LoadingLimits.judgedAtOnce)
        unjudged.removeLast(names.count)
        let entries = names.compactMap { name -> DomainFolder.Entry? in
          guard let state = states[name],
            state.association.quality != .good || state.assetLinks.quality != .good
          else { return nil }
          return state.entry
        }
        look(at: entries, LookOptions(threads: threads), &outcome)
      }
    }
    if unjudged.isEmpty { unjudged = [] }
    return outcome
  }
}

extension DomainReading {
  /// Nothing is known: look again soon.
  fileprivate static var untaken: DomainReading {
    var reading = DomainReading()
    reading.unrest = 1000
    return reading
  }
}

/// A number for what is to be reported: it takes less memory than the texts.
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
