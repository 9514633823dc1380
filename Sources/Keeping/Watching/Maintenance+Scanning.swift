internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Scans after events and in the sweep.
extension Maintenance {
  /// Scans everything. Waits for files that are being written.
  func scanEverything(depth: DomainReader.Depth, isStart: Bool = false) -> Outcome {
    let end = Clock.monotonicMilliseconds() + ObservationLimits.longestSettling
    var mode = DomainLoader.ScanMode(depth: depth, threads: domains.threads)
    mode.isStart = isStart
    var outcome = domains.scanFolder(mode, isWhole: true)
    outcome += certificates?.scan([], isStart: isStart)
    // At the start nothing is served yet, so files that are being written are waited for.
    while isStart {
      var restless: [DomainName] = []
      var names: Set<String> = []
      for (key, time) in outcome.again {
        switch key {
        case .domain(let name)
        where domains.states[name] == nil && !domains.unread.contains(name):
          restless.append(name)
        case .certificate(let name) where time < end: names.insert(name)
        default: break
        }
      }
      if restless.isEmpty && names.isEmpty { break }
      mode.isFinal = Clock.monotonicMilliseconds() >= end
      Thread.pause(milliseconds: Int32(ObservationLimits.settlingTime))
      outcome.again = []
      outcome += domains.scan(restless, mode)
      outcome += certificates?.scan(names, isFinal: mode.isFinal, isStart: isStart)
      if mode.isFinal { break }
    }
    return outcome
  }

  /// Reads everything again at an operator's request, perhaps with other options.
  func reload(_ options: HostingOptions?) -> Outcome {
    domains.forgetFiles()
    certificates?.forgetFiles()
    if let options {
      self.options = options
      domains.use(options)
      certificates?.use(options)
      catalog.use(options)
    }
    var outcome = scanEverything(depth: .rules)
    outcome.isReload = true
    if options != nil {
      outcome.changes.namesChanged = true
      outcome.changes.materialChanged = certificates != nil
    }
    watchFolders()
    sweep.hurry(now: Clock.monotonicMilliseconds())
    return outcome
  }

  /// Applies losses that an operator has confirmed.
  func confirm(_ ids: Set<String>) -> Outcome {
    var outcome = domains.confirm(ids)
    outcome += certificates?.inEach { $0.confirm(ids) }
    outcome.isReload = !outcome.confirmed.isEmpty
    watchFolders()
    return outcome
  }

  func takeEvents() {
    let now = Clock.monotonicMilliseconds()
    let events = registry.takeEvents()
    let temporary = domains.temporaryFiles(among: Set(events.compactMap(\.name)))
    for event in events {
      if let name = event.name, temporary.contains(name) { continue }
      agenda.note(event.key, isComplete: event.isComplete, now: now)
      if case .domain(let domain) = event.key, let name = event.name {
        spellings[domain, default: []].insert(name)
      }
    }
  }

  func scanDue() -> Outcome {
    var outcome = Outcome()
    let due = agenda.takeDue(now: Clock.monotonicMilliseconds())
    if due.isEmpty { return outcome }
    var names: [DomainName] = []
    var settled: Set<DomainName> = []
    var certificateNames: Set<String> = []
    var settledCertificates: Set<String> = []
    var isFolderDue = false
    var areCertificatesDue = false
    for (key, isSettled) in due.keys {
      switch key {
      case .domainsFolder: isFolderDue = true
      case .certificatesFolder, .issuedFolder: areCertificatesDue = true
      case .domain(let name):
        names.append(name)
        if isSettled { settled.insert(name) }
      case .certificate(let name):
        areCertificatesDue = true
        certificateNames.insert(name)
        if isSettled { settledCertificates.insert(name) }
      }
    }
    let mode = DomainLoader.ScanMode(settled: settled, threads: domains.threads)
    if isFolderDue { outcome += domains.scanFolder(mode, isWhole: false) }
    if !names.isEmpty {
      outcome += domains.scan(names, spellings: spellings, mode)
      for name in names { spellings[name] = nil }
    }
    if areCertificatesDue {
      outcome += certificates?.scan(certificateNames, settled: settledCertificates)
    }
    outcome.isReload = outcome.hasRead || outcome.failures > 0
    plan(outcome.again, after: due)
    outcome.again = []
    if isFolderDue || areCertificatesDue { watchFolders() }
    watch(names)
    if isFolderDue { sweep.hurry(now: Clock.monotonicMilliseconds()) }
    return outcome
  }

  /// Plans the scans that must be repeated.
  func plan(_ again: [(key: ScanKey, time: Int64)], after due: Agenda<ScanKey>.Due = .init()) {
    let now = Clock.monotonicMilliseconds()
    for (key, time) in again {
      // A retry later than this does not mean that the file is changing now.
      let isUnsettled = time - now <= ObservationLimits.settlingTime
      agenda.plan(key, at: time, unsettledSince: isUnsettled ? due.unsettledSince[key] ?? now : nil)
    }
  }
}
