internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Scans after events and in the sweep.
extension Maintenance {
  /// Scans everything. Waits for files that are being written.
  func scanEverything(depth: DomainReader.Depth, _ outcome: inout Outcome) {
    let end = Clock.monotonicMilliseconds() + ObservationLimits.longestSettling
    var mode = DomainLoader.ScanMode(depth: depth, threads: domains.threads)
    mode.isStart = outcome.report.isFirst
    domains.scanFolder(mode, isWhole: true, &outcome)
    certificates?.scan([], &outcome)
    // At the start nothing is served yet, so files that are being written are waited for.
    while outcome.report.isFirst {
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
      domains.scan(restless, mode, &outcome)
      certificates?.scan(names, isFinal: mode.isFinal, &outcome)
      if mode.isFinal { break }
    }
    plan(&outcome)
  }

  /// Reads everything again at an operator's request, perhaps with other options.
  func reload(_ options: HostingOptions?, _ outcome: inout Outcome) {
    outcome.isReload = true
    domains.forgetFiles()
    certificates?.forgetFiles()
    if let options {
      self.options = options
      domains.use(options)
      certificates?.use(options)
      catalog.use(options)
      outcome.changes.namesChanged = true
      outcome.changes.materialChanged = certificates != nil
    }
    scanEverything(depth: .rules, &outcome)
    watchFolders()
    sweep.hurry(now: Clock.monotonicMilliseconds())
  }

  /// Applies losses that an operator has confirmed. Returns the IDs that were held.
  func confirm(_ ids: Set<String>, _ outcome: inout Outcome) -> Set<String> {
    var confirmed = domains.confirm(ids, &outcome)
    if let found = certificates?.confirm(ids, &outcome) { confirmed.formUnion(found) }
    outcome.isReload = outcome.isReload || !confirmed.isEmpty
    plan(&outcome)
    watchFolders()
    return confirmed
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

  func scanDue(_ outcome: inout Outcome) {
    let due = agenda.takeDue(now: Clock.monotonicMilliseconds())
    if due.isEmpty { return }
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
    if isFolderDue { domains.scanFolder(mode, isWhole: false, &outcome) }
    if !names.isEmpty {
      domains.scan(names, spellings: spellings, mode, &outcome)
      for name in names { spellings[name] = nil }
    }
    if areCertificatesDue {
      certificates?.scan(certificateNames, settled: settledCertificates, &outcome)
    }
    outcome.isReload = outcome.isReload || outcome.hasRead || outcome.failures > 0
    plan(&outcome, after: due)
    watch(names, isFolderDue: isFolderDue, areCertificatesDue)
  }

  /// Plans the scans that must be repeated.
  func plan(_ outcome: inout Outcome, after due: Agenda<ScanKey>.Due = .init()) {
    let now = Clock.monotonicMilliseconds()
    for (key, time) in outcome.again {
      // A retry later than this does not mean that the file is changing now.
      let isUnsettled = time - now <= ObservationLimits.settlingTime
      agenda.plan(key, at: time, unsettledSince: isUnsettled ? due.unsettledSince[key] ?? now : nil)
    }
    outcome.again = []
  }

  /// Withdraws what has been missing for long enough.
  func withdrawMissing(_ outcome: inout Outcome) {
    let now = Clock.monotonicMilliseconds()
    if let time = domains.nextWithdrawal, time <= now {
      domains.withdrawMissing(&outcome)
      outcome.hasWithdrawn = true
    }
    if let time = certificates?.nextWithdrawal, time <= now {
      certificates?.withdrawMissing(&outcome)
      outcome.hasWithdrawn = true
    }
    plan(&outcome)
  }
}
