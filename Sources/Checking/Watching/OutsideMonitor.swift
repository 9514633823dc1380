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

  /// Waits a moment for its thread. Returns whether the thread has ended.
  package func hasEnded() -> Bool { thread.hasEnded() }

  // MARK: The thread

  private func run(_ status: StatusPublisher, _ report: (OutsideNews) -> Void) {
    var pace = WatchPace(interval: interval)
    var reporter = OutsideReporter()
    var queue = WatchQueue()
    var listed = ListedTurn()
    var wasListed = false
    var start = Clock.monotonicMilliseconds()
    // A change is noticed within a second, however long the pause between two rounds.
    while thread.pause(milliseconds: WatchLimits.pause) {
      let current = status.current
      let now = Clock.monotonicMilliseconds()
      if !current.isLoaded { continue }
      queue.note(current.catalog, checks)
      guard now >= start + pace.shortestPause else { continue }
      let isDue = now >= start + pace.pause(now: start)
      var subject: WatchSubject?
      // Listed hosts and entries take turns, so that neither waits for ever.
      if !wasListed || !isDue && !queue.hasChanges {
        subject = listed.next(current.catalog, now: now, interval: interval)
      }
      wasListed = subject != nil
      if subject == nil, isDue || queue.hasChanges {
        start = now
        if isDue { pace.goOn(now: now) }
        subject = queue.next(current.catalog, checks, onlyChanges: !isDue)
        if subject == nil, isDue {
          pace.endRound()
          checks.keep(current.catalog)
        }
      }
      guard let subject, let check = makeCheck(of: subject.host, subject.site) else { continue }
      // A server that stops does not answer its own check, which must not count as a fault.
      guard thread.pause(milliseconds: 0) else { return }
      let before = checks.latest(subject.name)
      checks.note(check, of: subject.name)
      pace.noteCheck(reachedAnything: check.origin != .unknown)
      if let news = reporter.news(check, after: before, of: subject.name) { report(news) }
      start = Clock.monotonicMilliseconds()
    }
  }

  private func makeCheck(of host: String, _ site: Site) -> OutsideCheck? {
    guard let subject = try? CheckSubject(host), subject.target.isPublicName,
      let evidence = DomainEvidence(
        watching: subject.target, settings, cdn: cdn,
        asksForLinks: site.version(of: WellKnownFiles.assetLinks) != nil)
    else { return nil }
    return OutsideCheck(evidence, subject, site)
  }
}
