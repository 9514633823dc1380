internal import Client
package import Posix
internal import TLS

/// Checks domains from outside as `aasa check` does, one after another without end, on its own
/// thread.
package final class OutsideMonitor: Sendable {
  private let settings: ClientSettings
  private let cdn: CDNAddress?
  /// In milliseconds.
  private let interval: Int64
  private let thread: StoppableThread

  /// - Parameters:
  ///   - cdn: The CDN; nil to skip it.
  ///   - interval: Milliseconds from the beginning of one round to the next.
  package init(cdn: CDNAddress?, interval: Int64, environment: [String: String]) throws {
    var options = FetchOptions()
    options.userAgent = ClientIdentity.robot.userAgent
    settings = ClientSettings(
      options: options, world: World(try ClientContext(trust: try TrustStore.system())),
      variables: environment)
    self.cdn = cdn
    self.interval = interval
    thread = try StoppableThread()
  }

  /// Starts the thread, which calls all these closures.
  ///
  /// - Parameters:
  ///   - next: Returns the next check, given the time in milliseconds of the monotonic clock, and
  ///     whether the round may go on. If not, it should return only domains that have changed since
  ///     their last check.
  ///   - note: Receives the findings.
  ///   - report: Receives news for the operator.
  package func start(
    next: @escaping @Sendable (_ now: Int64, _ isDue: Bool) -> WatchTurn,
    note: @escaping @Sendable (WatchOutcome, WatchedDomain) -> Void,
    report: @escaping @Sendable (OutsideNews) -> Void
  ) throws(SystemError) {
    try thread.start(named: "outside") { [self] in run(next, note, report) }
  }

  /// Does not wait for requests in progress.
  package func stop() { thread.stop() }

  /// Waits a moment for its thread. Returns whether the thread has ended.
  package func hasEnded() -> Bool { thread.hasEnded() }

  // MARK: The thread

  private func run(
    _ next: (Int64, Bool) -> WatchTurn, _ note: (WatchOutcome, WatchedDomain) -> Void,
    _ report: (OutsideNews) -> Void
  ) {
    var pace = WatchPace(interval: interval)
    var reporter = OutsideReporter()
    var start = Clock.monotonicMilliseconds()
    // A change is noticed within a second, even during a long pause between two rounds.
    while thread.pause(milliseconds: WatchLimits.pause) {
      let now = Clock.monotonicMilliseconds()
      guard now >= start + pace.shortestPause else { continue }
      let isDue = now >= start + pace.pause(now: start)
      let domain: WatchedDomain
      switch next(now, isDue) {
      case .nothing: continue
      case .endOfRound:
        start = now
        pace.goOn(now: now)
        pace.endRound()
        continue
      case .inRound(let found):
        start = now
        if isDue { pace.goOn(now: now) }
        domain = found
      case .betweenRounds(let found): domain = found
      }
      guard let outcome = outcome(of: domain) else { continue }
      // A stopping server does not answer its own check, which must not count as a fault.
      guard thread.pause(milliseconds: 0) else { return }
      note(outcome, domain)
      pace.noteCheck(reachedAnything: outcome.origin != .unknown)
      if let news = reporter.news(outcome, of: domain) { report(news) }
      start = Clock.monotonicMilliseconds()
    }
  }

  private func outcome(of domain: WatchedDomain) -> WatchOutcome? {
    guard let subject = try? CheckSubject(domain.host), subject.target.isPublicName,
      let evidence = DomainEvidence(
        watching: subject.target, settings, cdn: cdn, asksForLinks: domain.assetLinks != nil)
    else { return nil }
    return WatchOutcome(evidence, subject, domain)
  }
}
