package import Diagnostics
package import Posix
internal import Synchronization
internal import TLS

/// Loads what is served, watches it, and publishes a new catalog whenever it has changed: all that
/// blocks happens here, on a thread of its own.
package struct Maintenance: ~Copyable {
  /// What a loading is told to.
  package struct Report: Sendable {
    package var diagnostics: [Diagnostic] = []
    /// It is the first loading: everything in it is new.
    package var isFirst = false
    /// The entries that are served otherwise than before.
    package var changedDomains: [DomainName] = []
    package var certificatesChanged = false
    /// How many more diagnostics there are of each code.
    package var omitted: [String: Int] = [:]
  }

  let options: HostingOptions
  private let requests: MaintenanceRequests
  var domains: DomainLoader
  var certificates: CertificateLoader?
  private var ticketKeys = TicketKeys()
  private var standIn: Certificate?
  var registry: WatchRegistry
  var pending = PendingChanges()
  var polling = PollingRounds()
  private var settling = Settling()
  var isRecheckingCertificates = false
  private var poller: Poller
  private var nextRotation: Int64
  private var nextLook: Int64
  /// The catalog's own diagnostics (aliases, domains without certificate) as last told.
  private var toldOfCatalog: Set<String> = []
  /// What the inspection of certificates after the start found and was not told yet.
  private var foundByChecks = FewOfEachKind()
  let report: @Sendable (Report) -> Void
  private let statusPublisher: StatusPublisher
  private var status = HostingStatus()

  private static let watchToken: UInt64 = 1
  private static let requestToken: UInt64 = 2

  /// Milliseconds between two looks at the dates of certificates.
  private static let lookPause: Int64 = 3_600_000

  /// Milliseconds for which certificates are inspected after a first look, and for which the loops
  /// then have the processor, if it is the only one, to themselves.
  private static let checkTurn: Int64 = 10
  private static let checkPause: Int64 = 10

  /// - Parameters:
  ///   - status: is told how everything stands, whenever it has changed.
  ///   - report: called on the thread that loads, with all that there is to tell.
  package init(
    _ options: HostingOptions, requests: MaintenanceRequests,
    status: StatusPublisher = StatusPublisher(),
    report: @escaping @Sendable (Report) -> Void
  ) throws(SystemError) {
    let poller = try Poller(capacity: 4)
    let registry = WatchRegistry(isPollingForced: options.watch == .poll)
    try registry.register(with: poller, token: Self.watchToken)
    try poller.add(requests.wakeup.descriptor, token: Self.requestToken, interest: .read)
    self.poller = poller
    self.registry = registry
    self.options = options
    self.requests = requests
    self.report = report
    statusPublisher = status
    self.status.folder = options.domains
    self.status.hasHTTPS = options.certificates != nil
    domains = DomainLoader(
      root: options.domains, cacheControl: options.cacheControl,
      minification: options.minification, progress: options.progress)
    certificates = options.certificates.map { CertificateLoader(root: $0, options: options) }
    // Without HTTPS there are no tickets.
    nextRotation =
      options.certificates == nil
      ? .max : Clock.monotonicMilliseconds() + options.ticketRotation
    nextLook = options.certificates == nil ? .max : Clock.monotonicMilliseconds() + Self.lookPause
  }

  /// Reads everything once, and returns what is to be served.
  package mutating func load() -> Catalog {
    var report = Report(isFirst: true)
    let outcome = domains.loadAll()
    report.diagnostics += outcome.diagnostics
    report.changedDomains = outcome.changed
    var failures = outcome.failures
    if let outcome = certificates?.loadAll() {
      report.tell(of: outcome)
      failures += outcome.failures
    }
    let catalog = makeCatalog(&report)
    self.report(report)
    // What reading very many has left.
    if isBusy { Memory.returnFree() }
    status.isLoaded = true
    status.reloads.note(failed: failures > 0, isFirst: true, now: Clock.wallSeconds())
    publishStatus()
    return catalog
  }

  /// What certificates there are; nil without HTTPS.
  package var certificateSummary: CertificateSummary? { certificates?.summary }

  /// Watches and reloads until told to stop.
  ///
  /// - Parameter published: called after each new catalog.
  package mutating func run(publisher: CatalogPublisher, published: () -> Void) {
    defer { requests.noteStopped() }
    settling.begin(now: Clock.monotonicMilliseconds())
    watchEverything()
    while true {
      let now = Clock.monotonicMilliseconds()
      _ = poller.wait(milliseconds: waitingTime(now))
      requests.acknowledge()
      if requests.timeLeft(now: Clock.monotonicMilliseconds()) == 0 { return }
      takeEvents()
      var due = pending.takeDue(now: Clock.monotonicMilliseconds())
      if requests.takeReload() {
        for folder in WatchKey.Folder.allCases { due.insert(.all(folder)) }
      }
      due.formUnion(pollIfTime())
      let rotated = rotateTicketKeys()
      let isOlder = tellOfTime(isTime: rotated)
      if !due.isEmpty || rotated || isOlder {
        reload(due, publisher: publisher, isForced: rotated || isOlder, published: published)
        Memory.returnFree()
      } else if domains.hasLaterWork {
        let outcome = domains.workLater(milliseconds: LoadingLimits.backgroundSlice)
        let report = Report(diagnostics: outcome.diagnostics, omitted: outcome.omitted)
        if !report.isEmpty { self.report(report) }
        if !domains.hasLaterWork { publishStatus() }
      }
      checkCertificates(publisher: publisher, published: published)
      settling.endIfTime(now: Clock.monotonicMilliseconds(), isBusy: isBusy)
    }
  }

  /// Whether work of the start is still being done.
  private var isBusy: Bool { domains.hasLaterWork || certificates?.hasUnchecked == true }

  /// Inspects some of very many certificates that were served after a first look.
  private mutating func checkCertificates(publisher: CatalogPublisher, published: () -> Void) {
    guard certificates?.hasUnchecked == true,
      let outcome = certificates?.checkSome(milliseconds: Self.checkTurn)
    else { return }
    // Told together, for reports leave out what is told too often; what matters at once.
    foundByChecks.take(outcome.diagnostics)
    let isUrgent = outcome.hasChanged || outcome.diagnostics.contains { $0.severity == .error }
    if !isUrgent && certificates?.hasUnchecked == true { return }
    let found = foundByChecks.takeAll()
    var report = Report(diagnostics: found.kept, omitted: found.omitted)
    report.certificatesChanged = outcome.hasChanged
    if outcome.hasChanged {
      publisher.publish(makeCatalog(&report))
      published()
    }
    if !report.isEmpty {
      self.report(report)
      status.certificates = certificates?.statuses ?? []
      publishStatus()
    }
  }

  /// Tells those who ask how everything stands now.
  private func publishStatus() {
    var status = status
    status.troubles = domains.troubles.all
    status.folderFault = domains.isFolderReadable ? nil : domains.folderDiagnostics.first
    statusPublisher.publish(status)
  }

  /// Milliseconds until there is something to do without being told; at most some weeks.
  func waitingTime(_ now: Int64) -> Int32 {
    if domains.hasLaterWork { return 0 }
    var delay = max(0, min(nextRotation, nextLook) - now)
    if let next = pending.delay(now: now) { delay = min(delay, next) }
    if !registry.polled.isEmpty { delay = min(delay, max(0, polling.nextRound - now)) }
    if certificates?.hasUnchecked == true { delay = min(delay, Self.checkPause) }
    delay = min(delay, settling.delay(now: now, isBusy: isBusy))
    delay = min(delay, requests.timeLeft(now: now))
    return Int32(clamping: delay)
  }

  private mutating func takeEvents() {
    let now = Clock.monotonicMilliseconds()
    for event in registry.takeEvents() { pending.note(event, now: now) }
  }

  private mutating func reload(
    _ due: Set<WatchKey>, publisher: CatalogPublisher, isForced: Bool, published: () -> Void
  ) {
    var report = Report()
    let failures = reloadDomains(due, &report) + reloadCertificates(due, &report)
    if isForced || !report.changedDomains.isEmpty || report.certificatesChanged {
      publisher.publish(makeCatalog(&report))
      published()
    }
    // Takes as long as reading, with very many: what is new is served before that.
    watchAgain(due)
    if !report.isEmpty { self.report(report) }
    if !due.isEmpty {
      status.reloads.note(failed: failures > 0, isFirst: false, now: Clock.wallSeconds())
    }
    publishStatus()
  }

  /// Returns how much of what was read could not be taken.
  private mutating func reloadDomains(_ due: Set<WatchKey>, _ report: inout Report) -> Int {
    let keys = due.filter { $0.folder == .domains }
    if keys.isEmpty { return 0 }
    let names = Set(keys.compactMap(\.name))
    let isWhole = names.count < keys.count
    let outcome = isWhole ? domains.loadAll() : domains.reload(names: names)
    report.diagnostics += outcome.diagnostics
    report.changedDomains = outcome.changed
    return outcome.failures
  }

  private mutating func reloadCertificates(_ due: Set<WatchKey>, _ report: inout Report) -> Int {
    let keys = due.filter { $0.folder == .certificates }
    if keys.isEmpty || certificates == nil { return 0 }
    let names = Set(keys.compactMap(\.name))
    let isWhole = names.count < keys.count
    guard let outcome = isWhole ? certificates?.loadAll() : certificates?.reload(names: names)
    else { return 0 }
    report.tell(of: outcome)
    report.certificatesChanged = outcome.hasChanged
    status.certificates = certificates?.statuses ?? []
    return outcome.failures
  }

  /// Watches what has been read anew; what changed since is read again.
  private mutating func watchAgain(_ due: Set<WatchKey>) {
    if due.contains(.all(.domains)) {
      watchDomains()
    } else {
      for key in due where key.folder == .domains {
        if let name = key.name { watchDomain(name) }
      }
    }
    if due.contains(where: { $0.folder == .certificates }) { watchCertificates() }
  }

  /// Tells which certificates have expired or soon will. Whether there are any: another certificate
  /// may be the better one now.
  private mutating func tellOfTime(isTime: Bool) -> Bool {
    let now = Clock.monotonicMilliseconds()
    if certificates == nil || !isTime && now < nextLook { return false }
    nextLook = now + Self.lookPause
    guard let diagnostics = certificates?.tellOfTime(), !diagnostics.isEmpty else { return false }
    report(Report(diagnostics: diagnostics))
    status.certificates = certificates?.statuses ?? []
    publishStatus()
    return true
  }

  private mutating func rotateTicketKeys() -> Bool {
    let now = Clock.monotonicMilliseconds()
    if certificates == nil || now < nextRotation { return false }
    nextRotation = now + options.ticketRotation
    ticketKeys = ticketKeys.rotated()
    return true
  }

  private mutating func makeCatalog(_ report: inout Report) -> Catalog {
    let sites = domains.sites
    var material: TLSMaterial?
    if let certificates {
      if certificates.isEmpty && standIn == nil {
        standIn = makeStandIn(sites, options, &report)
      }
      material = certificates.material(
        ticketKeys: ticketKeys, standIn: certificates.isEmpty ? standIn : nil)
    }
    let catalog = Catalog(
      sites: sites, aliases: options.aliases, allowedHosts: options.allowedHosts,
      material: material)
    status.catalog = catalog
    status.hasStandIn = certificates?.isEmpty == true && standIn != nil
    if status.certificates.isEmpty { status.certificates = certificates?.statuses ?? [] }
    let found = catalogDiagnostics(
      catalog, options, hasCertificates: certificates?.isEmpty == false)
    // As texts, for there may be one for each of very many domains.
    let texts = Set(found.map { $0.code + $0.message })
    report.diagnostics += found.filter { !toldOfCatalog.contains($0.code + $0.message) }
    toldOfCatalog = texts
    return catalog
  }
}

extension Maintenance.Report {
  fileprivate var isEmpty: Bool {
    diagnostics.isEmpty && changedDomains.isEmpty && !certificatesChanged
  }
}
