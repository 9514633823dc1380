internal import Client
package import Posix
internal import Synchronization
internal import TLS

/// Checks the domains of a server from outside, as `aasa check` does, until the monitor is stopped.
/// At most one check begins each second. Each check has its own thread and a time limit, so a slow
/// domain does not delay the others.
package final class OutsideMonitor: Sendable {
  private let context: ClientContext
  private let variables: [String: String]
  private let cdn: CDNAddress?
  /// The time from the beginning of one round over all domains to the beginning of the next round,
  /// in milliseconds.
  private let interval: Int64
  private let thread: StoppableThread
  private let checks = Mutex(Checks())

  private struct Checks {
    var running = 0
    var finished: [(outcome: WatchOutcome?, domain: WatchedDomain)] = []
  }

  /// - Parameters:
  ///   - cdn: The CDN to ask; nil to ask no CDN.
  ///   - interval: The time from the beginning of one round over all domains to the beginning of
  ///     the next round, in milliseconds.
  package init(cdn: CDNAddress?, interval: Int64, environment: [String: String]) throws {
    context = try ClientContext(trust: try TrustStore.system())
    variables = environment
    self.cdn = cdn
    self.interval = interval
    thread = try StoppableThread()
  }

  /// Starts the monitor's thread, which calls `next`, `note` and `report`.
  ///
  /// - Parameters:
  ///   - next: Returns what to check next. `now` is the time in milliseconds of the monotonic
  ///     clock, and `isDue` is whether the round may continue. If `isDue` is false, `next` may
  ///     return only a domain that has changed since its last check.
  ///   - note: Called with the outcome of each check.
  ///   - report: Called with news for the operator.
  package func start(
    next: @escaping @Sendable (_ now: Int64, _ isDue: Bool) -> WatchTurn,
    note: @escaping @Sendable (WatchOutcome, WatchedDomain) -> Void,
    report: @escaping @Sendable (OutsideNews) -> Void
  ) throws(SystemError) {
    try thread.start(named: "outside") { [self] in run(next, note, report) }
  }

  /// Stops the monitor. Does not wait for requests in progress.
  package func stop() { thread.stop() }

  /// Waits briefly for the threads of the monitor. Returns whether all of them have ended.
  package func hasEnded() -> Bool { thread.hasEnded() && checks.withLock { $0.running == 0 } }

  // MARK: The monitor's thread

  private func run(
    _ next: (Int64, Bool) -> WatchTurn, _ note: (WatchOutcome, WatchedDomain) -> Void,
    _ report: (OutsideNews) -> Void
  ) {
    var pace = WatchPace(interval: interval)
    var reporter = OutsideReporter()
    var start = Clock.monotonicMilliseconds()
    // Ask for the next domain every second, so that a changed domain is noticed even during a long
    // pause between two rounds.
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

  /// Returns the outcomes of the checks that have ended since the last call. When the server stops,
  /// the thread no longer calls this function. So the server never uses a check of itself that
  /// failed only because the server was stopping.
  private func takeFinished() -> [(outcome: WatchOutcome?, domain: WatchedDomain)] {
    checks.withLock { checks in
      defer { checks.finished = [] }
      return checks.finished
    }
  }

  /// Begins a check on a new thread. Does nothing if the system has no thread for the check.
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

  /// Returns the settings for the requests of one check. With these settings, requests go only to
  /// public addresses. Requests to the CDN are an exception, because the operator chose the CDN.
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
