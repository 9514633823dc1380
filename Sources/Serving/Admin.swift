internal import Catalog
internal import Diagnostics
internal import Issuance
internal import Keeping
internal import Posix
internal import Reporting
internal import Server
internal import Settings
internal import TLS

/// The admin listener and the pages that it serves.
struct Admin {
  let status = StatusPublisher()
  let health: Health
  /// The results of the checks of domains from outside; nil if the settings turn these checks off.
  let checks: OutsideChecks?
  /// The number of fetches in each hour, for the status page.
  private let fetches: FetchHistoryKeeper
  /// The listener for admin requests. Nil if the settings turn this listener off, or if its default
  /// address cannot be used.
  private let listener: PageListener?
  /// The warning that the default address of the admin listener cannot be used; nil if the listener
  /// works or is turned off.
  let warning: Diagnostic?
  /// The limit on connections. It is unknown until the files are loaded.
  let connectionLimit = PublishedConnectionLimit()
  private let started = Clock.wallSeconds()

  /// Makes the admin listener, which listens at the address in the settings.
  ///
  /// Throws an error if the user set an address that cannot be used. If the default address cannot
  /// be used, for example because another server uses it, only sets `warning`.
  init(
    _ configuration: Configuration, _ server: Server, _ issuing: Issuing?
  ) throws {
    fetches = try FetchHistoryKeeper(server.metrics)
    health = Health(
      status, listeners: Set(server.endpoints.map { $0.isSecure ? .https : .http })
    ) { issuing?.awaitsCertificates($0) ?? false }
    checks = configuration.isChecking ? OutsideChecks() : nil
    guard let address = configuration.admin else {
      (listener, warning) = (nil, nil)
      return
    }
    do throws(SystemError) {
      listener = try PageListener(address.addresses, limits: .admin)
      warning = nil
    } catch {
      let isFatal = configuration.origin(of: \.admin) != .default
      let fault = Diagnostic.adminAddressUnusable(address, error, isFatal: isFatal)
      if isFatal { throw StartFault(fault) }
      listener = nil
      warning = fault
    }
  }

  /// Starts answering admin requests. Call this function before the files are loaded, so that
  /// probes get answers while the server starts.
  ///
  /// - Parameter settingsFault: Returns the fault of server.json that would prevent the next start.
  func start(
    _ server: Server, _ configuration: Configuration, _ board: StatusBoard?,
    _ log: ServerLog,
    settingsFault: @escaping @Sendable () -> String?
  ) throws(SystemError) {
    let (status, health, started, checks) = (status, health, started, checks)
    let (connectionLimit, fetches) = (connectionLimit, fetches)
    let acmeState = board == nil ? nil : configuration.issuance.state
    let stateFolder = configuration.stateFolder.map(absolutePath)
    let metrics = server.metrics
    let build = [("version", programVersion), ("openssl", openSSLVersion)]
    let page = MetricsPage {
      let status = status.current
      var families = metrics.families
      families += status.metrics(
        isReady: health.obstacles().isEmpty, now: Clock.wallSeconds())
      if configuration.hasMetricsPerDomain { families += status.domainMetrics }
      if let checks { families += checks.metrics(of: status.catalog) }
      if let board { families += board.metrics }
      families += processMetrics(started: started)
      families.append(
        MetricFamily(
          "aasa_build", .info, "Versions of the program and its libraries; the value is always 1.",
          [.init(1, build)]))
      return families
    }
    let document = { @Sendable in
      StatusDocument(
        status: status.current, obstacles: health.obstacles(),
        missingCertificate: health.missingCertificate, lastFetch: metrics.lastFetch,
        checks: checks, board: board, started: started, now: Clock.wallSeconds(),
        settingsFault: settingsFault(), connectionLimit: connectionLimit.current,
        acmeState: acmeState,
        stateFolder: stateFolder)
    }
    let pages = AdminPages(
      hosts: configuration.adminHosts, ready: { health.readyPage($0) }, metrics: page,
      status: { document().answer(to: $0) },
      people: { StatusPages(document: document(), fetches: fetches.current).answer(to: $0) })
    let failed = { @Sendable (error: SystemError) in
      log.report(
        error:
          "the admin listener could not serve a connection: \(error); allow more threads and open "
          + "files, or query it less often")
    }
    if listener != nil { try fetches.start() }
    try listener?.start(named: "admin", failed: failed) { .now(pages.answer($0)) }
  }

  /// The lines of the server's banner that show the addresses of the admin listener.
  var lines: [String] { (listener?.addresses ?? []).map { "admin http://\($0)" } }

  func stop() {
    listener?.stop()
    fetches.stop()
  }
}

extension Diagnostic {
  /// - Parameter isFatal: Whether the user set this address. If the address is the default, the
  ///   diagnostic is only a warning.
  fileprivate static func adminAddressUnusable(
    _ address: ListenAddress, _ error: SystemError, isFatal: Bool
  ) -> Diagnostic {
    let help =
      error.isAddressInUse
      ? "give each server on this machine its own admin address, such as --admin "
        + "127.0.0.1:12273, or turn the admin address off with --admin none"
      : error.isNoSuchAddress
        ? "this machine does not have that address: choose another address with --admin"
        : "choose another address with --admin, or turn the admin address off with --admin none"
    return Diagnostic(
      .adminAddressUnusable, severity: isFatal ? .error : .warning,
      "cannot listen on the admin address \(address): \(error.reason)", help: help,
      note: isFatal ? nil : "health, metrics and status of this server are not available")
  }
}
