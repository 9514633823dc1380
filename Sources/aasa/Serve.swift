internal import Catalog
internal import Checking
internal import Diagnostics
internal import HTTP
internal import Issuance
internal import Keeping
internal import Logging
internal import Posix
internal import Server
internal import Settings
internal import TLS

/// Serves until a signal ends it. Returns the exit code.
///
/// The calling thread loads and watches the files. Signals have their own thread, and so does each
/// event loop.
///
/// - Parameter source: The sources of the configuration, for reading it again.
func serve(_ configuration: Configuration, from source: ServerOptions) -> Int32 {
  // Block signals before any thread starts, so that every thread inherits the mask.
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
    let issuing = try Issuing(configuration, environment: environment)
    let server = try open(plan, configuration, issuing, log.logger)
    let admin = try Admin(configuration, server, issuing)
    if let warning = admin.warning { log.report(warning) }
    let watch = try OutsideMonitor(configuration, environment: environment)
    let progress = ProgressLine("loading", of: "domains")
    let certificateProgress = ProgressLine("loading", of: "certificates")
    let hosting = { @Sendable (configuration: Configuration) in
      var options = configuration.hosting(isSecure: plan.isSecure)
      // Even an issuer that serves nothing skips names that the user's certificates cover.
      if plan.isEmpty { options.certificates = configuration.certificates }
      let loadsCertificates = plan.isSecure || plan.isEmpty
      options.issuedCertificates = loadsCertificates ? issuing?.certificates : nil
      options.revocations = issuing?.revocations
      options.state = configuration.stateFolder
      options.progress = { progress.advance($0, of: $1) }
      options.certificateProgress = { certificateProgress.advance($0, of: $1) }
      return options
    }
    let live = LiveConfiguration(
      configuration, from: source, requests, server, log, hosting: hosting)
    let signals = try startSignals(requests, server, admin, watch, issuing, live, log)
    try admin.start(server, configuration, issuing?.board, log) { live.faultOfNextStart }
    let maintenance = try Maintenance(
      hosting(configuration), requests: requests, status: admin.status
    ) {
      progress.end()
      certificateProgress.end()
      write($0, to: log)
    }
    try begin(maintenance, server, admin, configuration, log)
    if let checks = admin.checks {
      try watch?.start(admin.status, checks, interval: configuration.checkInterval) {
        log.report($0)
      }
    }
    try issuing?.start(
      admin.status, server, expectsProxy: configuration.connections.expectsProxyProtocol, log)
    ServiceManager.notify(.ready, socket: manager)
    maintenance.run(publisher: server.publisher) { server.wake() }
    ServiceManager.notify(.stopping, socket: manager)
    server.stop()
    admin.stop()
    _ = signals
    if maintenance.isHanging {
      reportUnreadFile(log)
      log.close()
      exitImmediately(0)
    }
    if watch?.hasEnded() == false || issuing?.hasEnded() == false {
      log.close()
      exitImmediately(0)
    }
    return 0
  } catch let fault as StateFault {
    log.report(fault.diagnostic)
  } catch let fault as SettingFault {
    log.report(fault.diagnostic)
    return 2
  } catch ServerError.accessLog(let error) {
    log.report(diagnostic(ofAccessLog: error))
  } catch let error as ServerError {
    for text in faults(of: error) { log.report(error: text) }
  } catch let fault as AdminListenerFault {
    log.report(fault.diagnostic)
  } catch {
    log.report(error: "\(error)")
  }
  return 1
}

/// Loads everything and serves it. A separate function, because variables of `serve`, and the keys
/// in them, would live until the process ends.
private func begin(
  _ maintenance: Maintenance, _ server: Server, _ admin: Admin,
  _ configuration: Configuration, _ log: ServerLog
) throws {
  let catalog = maintenance.load()
  server.publisher.publish(catalog)
  let room = ConnectionRoom(configuration)
  admin.room.publish(room)
  try server.start(maxConnections: room.most, memory: room.memory)
  if isSuperuser { log.report(superuserWarning) }
  for diagnostic in faultsOfPlace(configuration) { log.report(diagnostic) }
  log.announce(
    banner(
      catalog, maintenance.domainCounts, maintenance.certificateSummary, server.endpoints,
      admin.lines, configuration)
      + (room.announcement.map { $0 + "\n" } ?? "") + buildNote
      + (trial(
        catalog, server.endpoints,
        isTrusted: maintenance.certificateSummary?.firstExpiry != nil) ?? ""))
}

/// A note about debug builds, which most people run first and whose performance is not typical.
private var buildNote: String {
  #if DEBUG
    "this is a debug build, for trying it out; swift build -c release makes the one to install\n"
  #else
    ""
  #endif
}

private let superuserWarning = Diagnostic(
  .runsAsSuperuser, "the server runs as root, which it does not need")

/// Opens every address, or reports all that cannot be opened.
private func open(
  _ plan: ListeningPlan, _ configuration: Configuration, _ issuing: Issuing?, _ log: Logger
) throws -> Server {
  var options = serverOptions(configuration)
  options.challenges = issuing?.answers
  return try Server(
    options: options, endpoints: plan.endpoints, inherited: plan.inherited,
    publisher: CatalogPublisher(Catalog(sites: [], aliases: [], material: nil)),
    context: try context(configuration, isSecure: plan.isSecure, issuing), log: log)
}

func context(
  _ configuration: Configuration, isSecure: Bool, _ issuing: Issuing?
) throws(TLSError) -> ServerContext? {
  if !isSecure { return nil }
  return try ServerContext(
    sessionLifetime: Int(configuration.hosting.ticketRotation / 1000),
    challenges: issuing?.challenges)
}

/// SIGHUP reads everything again, and SIGUSR1 opens the access log again. SIGTERM and SIGINT stop
/// the server; a second one stops it immediately. During `drainDelay` requests are still accepted,
/// so that load balancers can notice that the server is no longer ready.
private func startSignals(
  _ requests: MaintenanceRequests, _ server: Server, _ admin: Admin, _ watch: OutsideMonitor?,
  _ issuing: Issuing?, _ live: LiveConfiguration, _ log: ServerLog
) throws(SystemError) -> Posix.Thread {
  let (status, health) = (admin.status, admin.health)
  return try Thread(named: "signals") {
    var stopping: Posix.Thread?
    while true {
      switch Signal.wait() {
      case .hangUp:
        issuing?.readAgain(log)
        live.reload()
      case .user1: server.reopenAccessLog()
      case .interrupt, .terminate:
        if stopping != nil { exitImmediately(1) }
        if !status.current.isLoaded {
          // Nothing is served yet, and nothing was changed.
          log.close()
          exitImmediately(0)
        }
        let drainDelay = live.current.drainDelay
        health.beginDraining()
        server.beginDraining()
        watch?.stop()
        issuing?.stop()
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

/// Stops the server without a long wait for the thread that reads and checks files. That thread may
/// hang, for example on a network mount whose server is gone, or be busy with a large file.
private func endWithoutFiles(
  _ server: Server, _ requests: MaintenanceRequests, _ log: ServerLog
) {
  server.stop()
  if requests.ended.wait(until: Deadline(afterMilliseconds: 5_000)) { return }
  reportUnreadFile(log)
  log.close()
  exitImmediately(0)
}

private func reportUnreadFile(_ log: ServerLog) {
  log.report(
    Diagnostic(
      .fileDoesNotCome,
      "a file is still being read, written or checked, and the server does not wait for it"))
}

private func serverOptions(_ configuration: Configuration) -> Server.Options {
  // The memory for loaded files is not known yet.
  let room = ConnectionRoom(configuration, limit: nil)
  var options = Server.Options(
    threads: ConnectionRoom.threads(configuration), maxConnections: room.most)
  options.connections = configuration.connections
  options.wellKnown = configuration.hosting.wellKnownFiles
  options.accessLog = accessLogOptions(configuration)
  return options
}

func accessLogOptions(_ configuration: Configuration) -> AccessLogOptions? {
  var options = AccessLogOptions()
  switch configuration.accessLog {
  case "none": return nil
  case "stdout": options.target = .standardOutput
  case let path: options.target = .file(path)
  }
  let isForPeople = options.target == .standardOutput && standardOutputIsTerminal
  options.isJSON =
    switch configuration.logFormat {
    case .json: true
    case .text: false
    case .auto: !isForPeople
    }
  options.addresses = configuration.logAddresses
  return options
}
