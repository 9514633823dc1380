package import Catalog
internal import Client
package import Posix
package import Settings
internal import TLS

/// Checks the hosted domains from outside, continuously: in one thread, one domain at a time, by
/// the code of `aasa check`.
package final class OutsideMonitor: Sendable {
  private let checks: OutsideChecks
  private let settings: ClientSettings
  private let cdn: CDNAddress?
  /// In milliseconds.
  private let interval: Int64
  private let thread: StoppableThread

  /// Nil if the settings do not ask for it.
  package init?(
    _ configuration: Configuration, _ checks: OutsideChecks?, environment: [String: String]
  ) throws {
    guard configuration.isChecking, let checks else { return nil }
    self.checks = checks
    var options = FetchOptions()
    options.userAgent = ClientIdentity.robot.userAgent
    settings = ClientSettings(
      options: options, context: try ClientContext(trust: try TrustStore.system()),
      variables: environment)
    cdn =
      switch configuration.checkCDN {
      case "none": nil
      case "apple": try CDNAddress(CDNAddress.apple)
      case let url: try CDNAddress(url)
      }
    interval = configuration.checkInterval
    thread = try StoppableThread()
  }

  /// Begins as soon as files are loaded.
  ///
  /// - Parameter report: Called on the checking thread.
  package func start(
    _ status: StatusPublisher, report: @escaping @Sendable (OutsideNews) -> Void
  ) throws(SystemError) {
    try thread.start(named: "outside") { [self] in run(status, report) }
  }

  /// Does not wait for requests in progress.
  package func stop() { thread.stop() }

  /// Whether its thread has ended, after a moment's wait.
  package func hasEnded() -> Bool { thread.hasEnded() }

  // MARK: The thread

  private func run(_ status: StatusPublisher, _ report: (OutsideNews) -> Void) {
    var pace = WatchPace(interval: interval)
    var reporter = OutsideReporter()
    var queue = WatchQueue()
    var start = Clock.monotonicMilliseconds()
    // A change is noticed within a second, however long the pause between two rounds.
    while thread.pause(milliseconds: WatchLimits.pause) {
      let current = status.current
      let now = Clock.monotonicMilliseconds()
      if !current.isLoaded { continue }
      queue.note(current.catalog, checks)
      let isDue = now >= start + pace.pause(now: start)
      guard isDue || queue.hasChanges && now >= start + pace.shortestPause else { continue }
      start = now
      if isDue { pace.goOn(now: now) }
      guard let (site, host) = queue.next(current.catalog, checks, onlyChanges: !isDue) else {
        if isDue {
          pace.endRound()
          checks.keep(Set(current.catalog.sites.map(\.name)))
        }
        continue
      }
      guard let check = makeCheck(of: host, site) else { continue }
      // The server that is checked closes when this stops, which would be a finding.
      guard thread.pause(milliseconds: 0) else { return }
      let before = checks.latest(site.name)
      checks.note(check, of: site.name)
      pace.noteCheck(reachedAnything: check.origin != .unknown)
      if let news = reporter.news(check, after: before, of: site.name) { report(news) }
      start = Clock.monotonicMilliseconds()
    }
  }

  private func makeCheck(of host: String, _ site: Site) -> OutsideCheck? {
    guard let subject = try? CheckSubject(host), subject.target.isPublicName,
      let evidence = DomainEvidence(
        watching: subject.target, settings, cdn: cdn,
        asksForLinks: site.version(of: .assetLinks) != nil)
    else { return nil }
    return OutsideCheck(evidence, subject, site)
  }
}

/// Chooses the domain to check next: first those that have changed since their last check, then all
/// in the order of the catalog.
struct WatchQueue {
  private var position = 0
  private var changed: [DomainName] = []
  /// The catalog that was searched for changes; kept until the next one is noted.
  private var searched: Catalog?

  var hasChanges: Bool { !changed.isEmpty }

  /// Searches a catalog for changes, once.
  mutating func note(_ catalog: Catalog, _ checks: OutsideChecks) {
    if searched === catalog { return }
    searched = catalog
    changed = checks.outdated(catalog.sites)
  }

  /// The next domain, and the host for which Apple fetches its file; nil at the end of a round.
  mutating func next(
    _ catalog: Catalog, _ checks: OutsideChecks, onlyChanges: Bool
  ) -> (Site, String)? {
    while let name = changed.popLast() {
      if let site = catalog.sites.first(where: { $0.name == name }), checks[site] == nil,
        let host = publicHost(of: site, in: catalog)
      {
        return (site, host)
      }
    }
    if onlyChanges { return nil }
    let sites = catalog.sites
    while position < sites.count {
      let site = sites[position]
      position += 1
      if let host = publicHost(of: site, in: catalog) { return (site, host) }
    }
    position = 0
    return nil
  }
}

/// The host for which Apple fetches an entry's file; nil if that is unknown, or if the host serves
/// another entry's file, or if this entry has none.
private func publicHost(of site: Site, in catalog: Catalog) -> String? {
  if case .absent = site.association { return nil }
  switch site.name {
  case .host(let host): return host
  // Apple fetches a wildcard's file from its root domain.
  case .wildcard(let parent): return catalog.site(for: parent) === site ? parent : nil
  case .any: return nil
  }
}
