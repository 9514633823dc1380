internal import Client
internal import Diagnostics
internal import Hosting
internal import Posix
internal import Server
internal import Synchronization
internal import TLS

/// Looks from outside, again and again, at the domains that are hosted: one thread, one domain at a
/// time, with what `aasa check` does.
final class OutsideWatch: Sendable {
  private let checks: OutsideChecks
  private let settings: ClientSettings
  private let cdn: CDNAddress?
  /// Milliseconds.
  private let interval: Int64
  private let wakeup: Wakeup
  private let isStopping = Atomic<Bool>(false)
  private let ended = Atomic<Bool>(true)

  /// Nil when the settings want none.
  init?(
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
    wakeup = try Wakeup()
  }

  /// Begins as soon as files are loaded.
  func start(_ status: StatusPublisher, _ log: ServerLog) throws(SystemError) {
    ended.store(false, ordering: .releasing)
    do throws(SystemError) {
      _ = try Thread(named: "outside") { [self] in
        run(status, log)
        ended.store(true, ordering: .releasing)
      }
    } catch {
      ended.store(true, ordering: .releasing)
      throw error
    }
  }

  /// What is being asked is not waited for.
  func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Whether its thread has ended, for which it is given a moment. One that waits for an answer has
  /// not: then the process must not be unwound below it.
  func hasEnded() -> Bool {
    for _ in 0..<40 where !ended.load(ordering: .acquiring) { Thread.pause(milliseconds: 5) }
    return ended.load(ordering: .acquiring)
  }

  // MARK: The thread

  private func run(_ status: StatusPublisher, _ log: ServerLog) {
    var pace = WatchPace(interval: interval)
    var teller = OutsideTeller(log)
    var next = 0
    while pause(pace.pause(now: Clock.monotonicMilliseconds())) {
      let current = status.current
      if !current.isLoaded { continue }
      pace.goOn(now: Clock.monotonicMilliseconds())
      // The catalog is looked up anew each time, so that no old one is kept in memory; a domain whose
      // place has changed meanwhile has its turn in the next round.
      let sites = current.catalog.sites
      while next < sites.count, publicHost(of: sites[next], in: current.catalog) == nil {
        next += 1
      }
      guard next < sites.count, let host = publicHost(of: sites[next], in: current.catalog) else {
        next = 0
        pace.endRound()
        checks.keep(Set(sites.map(\.name)))
        continue
      }
      let name = sites[next].name
      next += 1
      guard let check = look(at: host) else { continue }
      let before = checks[name]
      checks.note(check, of: name)
      pace.noteCheck(reachedAnything: check.origin != .unknown)
      teller.tell(check, after: before, of: name)
    }
  }

  /// False when it is time to stop.
  private func pause(_ milliseconds: Int64) -> Bool {
    let end = Deadline(afterMilliseconds: milliseconds)
    while !isStopping.load(ordering: .acquiring) {
      if end.isOver { return true }
      _ = wakeup.descriptor.waitUntilReady(forWriting: false, until: end)
    }
    return false
  }

  private func look(at host: String) -> OutsideCheck? {
    guard let subject = try? CheckSubject(host), subject.target.isPublicName,
      let evidence = DomainEvidence(watching: subject.target, settings, cdn: cdn)
    else { return nil }
    return OutsideCheck(evidence, subject)
  }
}

/// The host at which Apple asks for an entry's file; nil when it cannot be known, or another entry's
/// file is served there, or this one has none.
private func publicHost(of site: Site, in catalog: Catalog) -> String? {
  if case .absent = site.association { return nil }
  switch site.name {
  case .host(let host): return host
  // Apple fetches a wildcard's file from its root.
  case .wildcard(let parent): return catalog.site(for: parent) === site ? parent : nil
  case .any: return nil
  }
}
