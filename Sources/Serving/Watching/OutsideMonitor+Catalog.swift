internal import Catalog
internal import Checking
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Reporting
internal import Settings
internal import Synchronization

extension OutsideMonitor {
  /// Nil if the settings do not enable the checks of domains from outside.
  convenience init?(_ configuration: Configuration, environment: [String: String]) throws {
    guard configuration.isChecking else { return nil }
    let cdn: CDNAddress? =
      switch configuration.checkCDN {
      case "none": nil
      case "apple": try CDNAddress(CDNAddress.apple)
      case let url: try CDNAddress(url)
      }
    try self.init(cdn: cdn, interval: configuration.checkInterval, environment: environment)
  }

  /// Starts the checks from outside, for all domains that this server serves. Call this function
  /// after the files are loaded.
  ///
  /// - Parameter interval: Milliseconds between the starts of two rounds of checks.
  func start(
    _ status: StatusPublisher, _ checks: OutsideChecks, interval: Int64,
    report: @escaping @Sendable (OutsideNews) -> Void
  ) throws(SystemError) {
    let turns = Mutex(WatchTurns())
    try start(
      next: { now, isDue in
        turns.withLock {
          $0.next(status.current, checks, now: now, isDue: isDue, interval: interval)
        }
      },
      note: { outcome, domain in
        guard let name = DomainName(entryName: domain.name) else { return }
        checks.note(
          OutsideCheck(
            time: outcome.time, version: domain.version, origin: outcome.origin,
            copy: outcome.copy, age: outcome.age, fault: outcome.fault), of: name)
      },
      report: report)
  }
}

extension WatchedDomain {
  init(_ subject: WatchSubject, _ checks: OutsideChecks) {
    self.init(
      name: subject.name.entryName, host: subject.host,
      association: subject.site.association.body, assetLinks: subject.site.assetLinks.body,
      version: subject.site.checkedVersion,
      wasFailing: checks.latest(subject.name)?.origin == .failing)
  }
}

extension Availability {
  fileprivate var body: [UInt8]? {
    guard case .served(let file) = self else { return nil }
    return file.content.identity.body
  }
}
