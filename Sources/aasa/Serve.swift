internal import Diagnostics
internal import HTTP
internal import Hosting
internal import Logging
internal import Posix
internal import Server
internal import TLS

/// Serves until a signal ends it. Returns the exit code.
///
/// The calling thread loads and watches; signals have a thread of their own, and so has each
/// event loop.
func serve(_ configuration: Configuration) -> Int32 {
  // Before any thread is made, so that all of them inherit it.
  Signal.blockAll()
  forbidCoreDumps()
  let environment = environmentVariables()
  let manager = environment["NOTIFY_SOCKET"]
  let log: ServerLog
  do throws(SystemError) {
    log = try ServerLog(configuration.logFormat, configuration.logLevel)
  } catch {
    printError("error: \(error)")
    return 1
  }
  defer { log.close() }
  do {
    let requests = try MaintenanceRequests()
    let plan = ListeningPlan(configuration, try ServiceManager.sockets(environment))
    let server = try open(plan, configuration, log.logger)
    let admin = try Admin(configuration)
    if let warning = admin.warning { log.tell(warning) }
    let watch = try OutsideWatch(configuration, admin.checks, environment: environment)
    let signals = try startSignals(
      requests, server, admin.health, watch, configuration.drainDelay.milliseconds, log)
    try admin.start(server, configuration)
    let progress = ProgressLine("loading", of: "domains")
    var options = hostingOptions(configuration, isSecure: plan.isSecure)
    options.progress = { progress.advance($0, of: $1) }
    let certificateProgress = ProgressLine("loading", of: "certificates")
    options.certificateProgress = { certificateProgress.advance($0, of: $1) }
    var maintenance = try Maintenance(options, requests: requests, status: admin.status) {
      progress.end()
      certificateProgress.end()
      tell(of: $0, to: log)
    }
    try begin(&maintenance, server, admin, configuration, log)
    try watch?.start(admin.status, log)
    ServiceManager.tell(.ready, socket: manager)
    maintenance.run(publisher: server.publisher) { server.wake() }
    ServiceManager.tell(.stopping, socket: manager)
    server.stop()
    admin.stop()
    _ = signals
    if let watch, !watch.hasEnded() {
      log.close()
      exitImmediately(0)
    }
    return 0
  } catch let error as ServerError {
    for text in faults(of: error) { log.tell(error: text) }
  } catch let fault as AdminListenerFault {
    log.tell(fault.diagnostic)
  } catch {
    log.tell(error: "\(error)")
  }
  return 1
}

/// Loads everything and serves it. A function of its own, for what stood in a variable of `serve`
/// would be kept as long as the process lasts, with its keys.
private func begin(
  _ maintenance: inout Maintenance, _ server: Server, _ admin: Admin,
  _ configuration: Configuration, _ log: ServerLog
) throws {
  let catalog = maintenance.load()
  server.publisher.publish(catalog)
  try server.start()
  if isSuperuser { log.tell(superuserWarning) }
  log.announce(
    banner(catalog, maintenance.certificateSummary, server.endpoints, admin.lines, configuration))
}

private let superuserWarning = Diagnostic(
  .warning, code: "H016", "the server runs as root, and needs no such right",
  help: "run it as another user, and let ports below 1024 be published by the service manager or"
    + " the container, or give the binary CAP_NET_BIND_SERVICE")

/// Opens every address, or tells of all that cannot be opened.
private func open(
  _ plan: ListeningPlan, _ configuration: Configuration, _ log: Logger
) throws -> Server {
  try Server(
    options: serverOptions(configuration), endpoints: plan.endpoints, inherited: plan.inherited,
    publisher: CatalogPublisher(Catalog(sites: [], aliases: [], material: nil)),
    context: try context(configuration, isSecure: plan.isSecure), log: log)
}

private func context(
  _ configuration: Configuration, isSecure: Bool
) throws(TLSError) -> ServerContext? {
  if !isSecure { return nil }
  return try ServerContext(
    sessionLifetime: Int(configuration.ticketLifetime.components.seconds))
}

/// SIGHUP reads everything again, SIGUSR1 opens the access log again; SIGTERM and SIGINT stop, a
/// second one at once.
///
/// - Parameter drainDelay: milliseconds for which requests are still accepted, so that load
///   balancers have the time to see that the server is not ready any more.
private func startSignals(
  _ requests: MaintenanceRequests, _ server: Server, _ health: Health, _ watch: OutsideWatch?,
  _ drainDelay: Int64, _ log: ServerLog
) throws(SystemError) -> Posix.Thread {
  try Thread(named: "signals") {
    var stopping: Posix.Thread?
    while true {
      switch Signal.wait() {
      case .hangUp: requests.reload()
      case .user1: server.reopenAccessLog()
      case .interrupt, .terminate:
        if stopping != nil { exitImmediately(1) }
        health.beginDraining()
        watch?.stop()
        requests.stop(afterMilliseconds: drainDelay)
        stopping = try? Thread(named: "stopping") {
          Posix.Thread.pause(milliseconds: Int32(clamping: drainDelay))
          endWithoutFiles(server, requests, log)
        }
        if stopping == nil { exitImmediately(1) }
      }
    }
  }
}

/// The thread that reads files may be in the middle of a call that does not come back, for example
/// on a network mount whose server is gone. Nobody waits for it for much longer than for the clients.
private func endWithoutFiles(
  _ server: Server, _ requests: MaintenanceRequests, _ log: ServerLog
) {
  server.stop()
  for _ in 0..<50 where !requests.hasStopped { Posix.Thread.pause(milliseconds: 100) }
  if requests.hasStopped { return }
  log.tell(
    Diagnostic(
      .warning, code: "H018",
      "a file is still being read (a mount that hangs?), and nobody waits for it"))
  log.close()
  exitImmediately(0)
}

private func hostingOptions(
  _ configuration: Configuration, isSecure: Bool
) -> HostingOptions {
  var options = HostingOptions()
  options.domains = configuration.domains
  options.certificates = isSecure ? configuration.certificates : nil
  options.isCertificatesFolderExpected = configuration.origin(of: .certificates) != .default
  options.aliases = configuration.aliases.compactMap { alias in
    DomainName(entryName: alias.from).map { ($0, alias.to) }
  }
  options.allowedHosts = configuration.allowedHosts.compactMap(DomainName.init(entryName:))
  options.defaultCertificate = configuration.defaultCertificate
  options.isDefaultCertificateExpected =
    configuration.origin(of: .defaultCertificate) != .default
  options.certificateWarningDays = configuration.certificateWarningDays
  options.cacheControl = configuration.cacheControl
  options.watch = configuration.watch
  options.minification = configuration.minification
  // Tickets made just before a change are good for one more lifetime of their key.
  options.ticketRotation = configuration.ticketLifetime.milliseconds
  return options
}

private func serverOptions(_ configuration: Configuration) -> Server.Options {
  var options = Server.Options()
  options.request.headBytes = configuration.headBytes
  options.request.targetBytes = configuration.targetBytes
  options.request.fieldLines = configuration.fieldLines
  options.request.bodyBytes = configuration.bodyBytes
  options.headTimeout = configuration.headTimeout.milliseconds
  options.bodyTimeout = configuration.bodyTimeout.milliseconds
  options.handshakeTimeout = configuration.handshakeTimeout.milliseconds
  options.idleTimeout = configuration.idleTimeout.milliseconds
  options.writeTimeout = configuration.writeTimeout.milliseconds
  options.gracePeriod = configuration.gracePeriod.milliseconds
  options.lingerTimeout = configuration.lingerTimeout.milliseconds
  options.retryAfter = Int(configuration.retryAfter.components.seconds)
  options.accessLog = accessLogOptions(configuration)
  options.trustedProxies = TrustedProxies(configuration.trustedProxies)
  options.expectsProxyProtocol = configuration.expectsProxyProtocol
  options.threads = configuration.threads == 0 ? availableProcessors() : configuration.threads
  let descriptors = raiseDescriptorLimit()
  // Some are needed for files, listening sockets and pollers.
  let possible = max(16, descriptors - 64 - 8 * options.threads)
  options.maxConnections =
    configuration.maxConnections == 0
    ? min(possible, 100_000) : min(possible, configuration.maxConnections)
  options.maxConnectionsPerClient =
    configuration.maxConnectionsPerClient == 0
    ? max(16, min(1_000, options.maxConnections / 4)) : configuration.maxConnectionsPerClient
  return options
}

private func accessLogOptions(_ configuration: Configuration) -> AccessLogOptions? {
  var options = AccessLogOptions()
  switch configuration.accessLog {
  case "none": return nil
  case "stdout": options.target = .standardOutput
  case let path: options.target = .file(path)
  }
  let isForPeople = options.target == .standardOutput && standardOutputIsTerminal
  options.format =
    switch configuration.logFormat {
    case .json: .json
    case .text: .text
    case .auto: isForPeople ? .text : .json
    }
  options.addresses =
    switch configuration.logAddresses {
    case .full: .full
    case .truncated: .truncated
    case .none: .none
    }
  return options
}

extension Duration {
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
