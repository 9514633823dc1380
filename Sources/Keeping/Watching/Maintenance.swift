package import Catalog
internal import Diagnostics
package import Posix
package import Settings

/// Loads the files, updates what is served when the files change, and publishes a new catalog after
/// each change. This work can block, so it has its own thread, the maintenance thread. Other
/// threads read the folders. The maintenance thread waits for their reads only for a limited time
/// (see `HangTolerantPool`).
///
/// The work has three steps. First, the kernel's events and the regular scan (`Sweep`) show which
/// files to read. Then the keepers decide what is served from these files. Last, `CatalogMaker`
/// makes the catalog.
package final class Maintenance {
  var options: HostingOptions
  private let requests: MaintenanceRequests
  var domains: DomainRunner
  var certificates: CertificateFolders?
  var catalog: CatalogMaker
  var registry: WatchRegistry
  var agenda = Agenda<ScanKey>()
  var sweep = Sweep(now: 0)
  /// The domains whose folders are not watched yet.
  var unwatched: [DomainName] = []
  var timers: MaintenanceTimers
  /// Findings of background work that have not been reported yet.
  var found = Report()
  /// Whether the background work that follows the start is still in progress.
  private var isStarting = true
  private var poller: Poller
  /// Keeps versions for the next start; nil if there is no state folder.
  let kept: KeptVersions?
  /// Whether names of domains were added or withdrawn after the names were last passed to `kept`.
  var areNamesNew = true
  /// Whether the disk did not answer when the program ended.
  var hasKeepingHung = false
  var confirmations: Confirmations
  /// Faults of the versions that the last run kept. The first report begins with these faults.
  private var keptDiagnostics: [Diagnostic] = []
  let report: @Sendable (Report) -> Void
  var status: StatusKeeper

  private static let watchToken: UInt64 = 1
  private static let requestToken: UInt64 = 2

  /// - Parameters:
  ///   - status: Receives the status after each change.
  ///   - report: Receives each report, on the maintenance thread.
  package init(
    _ options: HostingOptions, requests: MaintenanceRequests,
    status: StatusPublisher = StatusPublisher(),
    report: @escaping @Sendable (Report) -> Void
  ) throws(SystemError) {
    let poller = try Poller(capacity: 4)
    let registry = WatchRegistry(
      isOff: options.watch == .poll, wellKnown: options.wellKnownFiles)
    try registry.watcher?.register(with: poller, token: Self.watchToken)
    try poller.add(requests.wakeup.descriptor, token: Self.requestToken, interest: .read)
    self.poller = poller
    self.registry = registry
    self.options = options
    self.requests = requests
    self.report = report
    self.status = StatusKeeper(options, status)
    catalog = CatalogMaker(options)
    domains = DomainRunner(DomainKeeper(options)) { requests.isStopping }
    certificates = options.certificates.map { CertificateFolders(options, root: $0) }
    timers = MaintenanceTimers(
      options, wall: Clock.wallMilliseconds(), now: Clock.monotonicMilliseconds())
    kept = try KeptVersions(options, domains.keeper.reader, certificates?.all[0].reader) {
      requests.wakeup.signal()
    }
    let run = kept?.takeLastRun() ?? LastRun()
    keptDiagnostics = run.diagnostics
    domains.keeper.take(run, at: .now())
    certificates?.take(run)
    catalog.owners = run.owners
    confirmations = Confirmations(options.state)
  }

  /// Reads all files once, and returns the first catalog.
  package func load() -> Catalog {
    var outcome = Outcome()
    outcome.report.isFirst = true
    outcome.report.add(keptDiagnostics)
    outcome += scanEverything(depth: .usability, isStart: true)
    outcome.changes.namesChanged = true
    outcome.changes.materialChanged = certificates != nil
    finish(outcome, nil)
    Memory.returnFree()
    return catalog.catalog
  }

  /// A summary of the certificates; nil if HTTPS is off.
  package var certificateSummary: CertificateSummary? { certificates?.summary }

  /// The thread pools for all folders.
  var works: [HangTolerantPool] { [domains.work] + (certificates?.all.map(\.work) ?? []) }

  /// Whether a disk does not answer. If so, a thread may still be waiting for the disk and using
  /// parts of this object.
  package var isHanging: Bool { isReadHanging || hasKeepingHung || kept?.hang != nil }

  private var isReadHanging: Bool { works.contains { !$0.hanging.isEmpty } }

  /// The numbers of all domains, of served domains, and of served domains with faults.
  package var domainCounts: DomainCounts { status.domainCounts }

  /// Watches the folders, and reloads changed files, until another thread requests a stop.
  package func run(publisher: CatalogPublisher) {
    defer { requests.ended.signal() }
    watchFolders()
    unwatched = Array(domains.keeper.items.keys)
    while true {
      let now = Clock.monotonicMilliseconds()
      _ = poller.wait(milliseconds: waitingTime(now))
      let requested = requests.take()
      if requests.isStopping { return keepAtEnd() }
      takeEvents()
      var outcome = Outcome()
      if requested.isReload { outcome += reload(requested.options) }
      let confirmation = takeConfirmation(&outcome)
      outcome += scanDue()
      runTimedWork(&outcome)
      takeNewsOfKept(&outcome)
      let isConfirmed = !outcome.confirmed.isEmpty
      finish(outcome, publisher)
      // Write the kept versions immediately. Otherwise, if the server were killed, the next start
      // would restore the versions whose loss was confirmed.
      if isConfirmed, kept?.hang == nil { kept?.finish() }
      workInBackground(publisher)
      // Remove the file last. Its removal tells the operator that all confirmations have taken
      // effect.
      if let confirmation { confirmations.remove(confirmation) }
      if isStarting && !isBusy {
        isStarting = false
        Memory.returnFree()
      }
    }
  }

  /// Completes a scan: publishes the changes and the status, sends the report, and plans the scans
  /// that must be repeated.
  func finish(_ outcome: Outcome, _ publisher: CatalogPublisher?) {
    let now = Moment.now()
    agenda.plan(outcome.again, now: now.milliseconds)
    var outcome = outcome
    // Unknown hosts get a different response if the set of known hosts is incomplete. Therefore, if
    // the set has become complete or incomplete, make a new catalog.
    if catalog.catalog.isIncomplete != domains.keeper.isIncomplete {
      outcome.changes.namesChanged = true
    }
    if !outcome.changes.isEmpty {
      if outcome.changes.namesChanged { areNamesNew = true }
      let made = catalog.make(
        outcome.changes, domains.keeper, certificates, at: now, &outcome.report)
      certificates?.all[0].keeper.catalog = made
      if outcome.changes.materialChanged {
        timers.nextChangeOfDates =
          certificates?.nextChangeOfDates(after: now).map {
            now.milliseconds + ($0 - now.wall) * 1000
          } ?? .max
      }
      publisher?.publish(made)
    }
    // Update the holds in the status.
    outcome += status.note(
      domains.keeper, certificates, works, kept?.hang, now: now.milliseconds)
    let isFirst = outcome.report.isFirst
    if isFirst || outcome.isReload {
      status.noteReload(
        failed: outcome.failures > 0 || isReadHanging, isFirst: isFirst, at: now)
    }
    if outcome.isReload || outcome.isStatusDue || !outcome.changes.isEmpty
      || !outcome.report.isEmpty
    {
      keepVersions()
    }
    // Publish the status first, and report afterward. The status must already contain everything
    // that the log mentions, such as the IDs of holds.
    if !outcome.report.isEmpty { report(outcome.report) }
  }

  /// Whether there is background work to do between two scans.
  var isBusy: Bool {
    domains.hasBackgroundWork || certificates?.hasBackgroundWork == true
      || !unwatched.isEmpty && !domains.isWaiting
  }

  /// Returns the milliseconds until the next work that must be done even if there is no event. The
  /// result is at most several weeks.
  private func waitingTime(_ now: Int64) -> Int32 {
    if isBusy { return 0 }
    var delay = min(timers.delay(now: now), sweep.delay(now: now))
    for next in [agenda.delay(now: now), delayOfConfirmation(now: now)] {
      if let next { delay = min(delay, next) }
    }
    for next in [domains.keeper.nextWithdrawal, certificates?.nextWithdrawal] {
      if let next { delay = min(delay, max(0, next - now)) }
    }
    if domains.isReadingAlone { delay = min(delay, LoadingLimits.alonePause) }
    if isReadHanging || kept?.hang != nil { delay = min(delay, LoadingLimits.hangingPause) }
    return Int32(clamping: min(delay, requests.timeLeft(now: now)))
  }

  // MARK: Keeping versions and names for the next start

  /// Determines which served versions a restart would lose, passes them to the thread that keeps
  /// versions, and publishes the status.
  func keepVersions() {
    var wishes = domains.keeper.atRisk
    certificates?.all[0].keeper.addRisks(to: &wishes, at: .now())
    wishes.owners = catalog.owners
    // Until this run has read the folder for the first time, the names that the last run wrote stay
    // on the disk.
    let areNamesNew = areNamesNew && domains.keeper.folder.wasRead
    if areNamesNew { self.areNamesNew = false }
    let names =
      areNamesNew ? Array(domains.keeper.folder.names.unseen.union(domains.keeper.items.keys)) : nil
    kept?.keep(wishes, names: names)
    status.publish(
      domains.keeper, certificates, catalog, confirmed: confirmations.confirmed,
      unkept: kept?.lost(of: wishes) ?? wishes.files.count,
      keptCertificates: kept?.certificates ?? 0)
  }

  /// Takes the diagnostics of the thread that keeps versions.
  func takeNewsOfKept(_ outcome: inout Outcome) {
    guard let news = kept?.takeNews() else { return }
    outcome.report.add(news)
    outcome.isStatusDue = true
  }

  /// Called when the server exits. Writes what has changed since the last call of `keepVersions`.
  func keepAtEnd() {
    keepVersions()
    kept?.finish()
    var outcome = Outcome()
    takeNewsOfKept(&outcome)
    hasKeepingHung = kept?.stop() == false
    if !outcome.report.isEmpty { report(outcome.report) }
  }
}
