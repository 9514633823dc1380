internal import Client
package import Posix
internal import Synchronization
internal import TLS

/// Checks domains from outside as `aasa check` does, until stopped. A check begins every second.
/// Each check has its own thread and a deadline, so a slow domain does not delay the others.
package final class OutsideMonitor: Sendable {
  private let context: ClientContext
  private let variables: [String: String]
  private let cdn: CDNAddress?
  /// In milliseconds.
  private let interval: Int64
  private let thread: StoppableThread
  private let checks = Mutex(Checks())

  private struct Checks {
    var running = 0
    var finished: [(outcome: WatchOutcome?, domain: WatchedDomain)] = []
  }

  /// - Parameters:
  ///   - cdn: The CDN; nil to skip it.
  ///   - interval: Milliseconds from the beginning of one round to the next.
  package init(cdn: CDNAddress?, interval: Int64, environment: [String: String]) throws {
    context = try ClientContext(trust: try TrustStore.system())
    variables = environment
    self.cdn = cdn
    self.interval = interval
    thread = try StoppableThread()
  }

  /// Starts the thread, which calls all these closures.
  ///
  /// - Parameters:
  ///   - next: Returns the next check. Receives the time in milliseconds of the monotonic clock,
  ///     and whether the round may continue. If the round may not continue, returns only domains
  ///     that have changed since their last check.
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

  /// Waits briefly for the monitor's threads. Returns whether all of them have ended.
  package func hasEnded() -> Bool { thread.hasEnded() && checks.withLock { $0.running == 0 } }

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
      for (outcome, domain) in takeFinished() {
        guard let outcome else { continue }
        note(outcome, domain)
        pace.noteCheck(reachedAnything: outcome.reachedAnything)
        if let news = reporter.news(outcome, of: domain) { report(news) }
      }
      let now = Clock.monotonicMilliseconds()
      guard now >= start + pace.shortestPause else { continue }
      let isDue = now >= start + pace.pause(now: start)
      let domain: WatchedDomain
      switch next(now, isDue) {
      case .nothing: continue
      case .endOfRound:
        start = now
        pace.beginCheck(now: now)
        pace.endRound()
        continue
      case .inRound(let found):
        start = now
        if isDue { pace.beginCheck(now: now) }
        domain = found
      case .betweenRounds(let found): domain = found
      }
      begin(domain)
    }
  }

  /// Returns the results of the checks that have ended. A server does not answer its own checks
  /// while it stops, so the results of those checks are never used.
  private func takeFinished() -> [(outcome: WatchOutcome?, domain: WatchedDomain)] {
    checks.withLock { checks in
      defer { checks.finished = [] }
      return checks.finished
    }
  }

  /// Begins a check on a new thread. Skips the check if no thread can be started.
  private func begin(_ domain: WatchedDomain) {
    checks.withLock { $0.running += 1 }
    do throws(SystemError) {
      _ = try Thread(named: "outside check") { [self] in
        let outcome = outcome(of: domain)
        checks.withLock { $0.finished.append((outcome, domain)) }
        thread.wake()
        checks.withLock { $0.running -= 1 }
      }
    } catch {
      checks.withLock { $0.running -= 1 }
    }
  }

  private func outcome(of domain: WatchedDomain) -> WatchOutcome? {
    guard let subject = try? CheckSubject(domain.host), subject.target.isPublicName,
      let evidence = DomainEvidence(
        watching: subject.target, settings(), cdn: cdn, asksForLinks: domain.assetLinks != nil)
    else { return nil }
    return WatchOutcome(evidence, subject, domain)
  }

  /// Returns the settings of one check. They allow connections to public addresses only. The CDN
  /// that the operator chose may have any address.
  private func settings() -> ClientSettings {
    var options = FetchOptions()
    options.userAgent = ClientIdentity.robot.userAgent
    let deadline = Deadline(afterMilliseconds: WatchLimits.check)
    let world = World { [context, cdn] request, options, kept in
      var options = options
      options.isPublicOnly = request.host != cdn?.target.host
      options.timeout = min(options.timeout, max(1, deadline.millisecondsLeft))
      return Client.fetch(request, options, context: context, keeping: kept)
    }
    return ClientSettings(options: options, world: world, variables: variables)
  }
}
