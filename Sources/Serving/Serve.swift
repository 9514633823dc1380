internal import Catalog
internal import Checking
internal import Diagnostics
internal import HTTP
internal import Issuance
internal import Keeping
internal import Posix
internal import Reporting
internal import Server
package import Settings
internal import TLS

/// Runs the server until a signal stops it. Returns the exit code.
///
/// The calling thread loads and watches the files. Other threads handle the signals and run the
/// event loops.
///
/// - Parameter source: The sources from which the configuration is read again after SIGHUP.
package func serve(_ configuration: Configuration, from source: SettingSources) -> Int32 {
  // Block signals before any thread starts, so that every thread inherits the mask.
  Signal.blockAll()
  forbidCoreDumps()
  return withLog(configuration) { log in
    try Startup(configuration, log).serve(from: source)
    return 0
  }
}

extension Startup {
  fileprivate func serve(from source: SettingSources) throws {
    let requests = try MaintenanceRequests()
    let server = try open()
    let admin = try Admin(configuration, server, issuing)
    if let warning = admin.warning { log.report(warning) }
    let live = LiveConfiguration(configuration, from: source, requests, server, log) {
      hosting($0)
    }
    let signals = try startSignals(requests, server, admin, live)
    try admin.start(server, configuration, issuing?.board, log) { live.faultOfNextStart }
    let maintenance = try maintenance(hosting(configuration), requests, admin.status)
    try begin(maintenance, server, admin)
    if let checks = admin.checks {
      try watch?.start(admin.status, checks, interval: configuration.checkInterval) {
        log.report($0)
      }
    }
    try issuing?.start(
      admin.status, server, expectsProxy: configuration.connections.expectsProxyProtocol, log)
    let manager = environment["NOTIFY_SOCKET"]
    ServiceManager.notify(.ready, socket: manager)
    maintenance.run(publisher: server.publisher)
    ServiceManager.notify(.stopping, socket: manager)
    server.stop()
    admin.stop()
    _ = signals
    let isHanging = maintenance.isHanging
    if isHanging { reportUnreadFile(log) }
    if isHanging || watch?.hasEnded() == false || issuing?.hasEnded() == false {
      log.close()
      exitImmediately(0)
    }
  }

  /// Loads all files and starts to serve them. This code is a separate function, because variables
  /// in `serve` would keep private keys in memory until the process ends.
  private func begin(_ maintenance: Maintenance, _ server: Server, _ admin: Admin) throws {
    let catalog = maintenance.load()
    server.publisher.publish(catalog)
    let connectionLimit = ConnectionLimit(configuration)
    admin.connectionLimit.publish(connectionLimit)
    try server.start(maxConnections: connectionLimit.most, memory: connectionLimit.memory)
    if isSuperuser { log.report(superuserWarning) }
    for diagnostic in faultsOfPlace(configuration) { log.report(diagnostic) }
    log.announce(
      banner(
        catalog, maintenance.domainCounts, maintenance.certificateSummary, server.endpoints,
        admin.lines, configuration)
        + (connectionLimit.announcement.map { $0 + "\n" } ?? "") + buildNote
        + (trial(
          catalog, server.endpoints,
          isTrusted: maintenance.certificateSummary?.firstExpiry != nil) ?? ""))
  }

  /// After SIGHUP, the server reads all files again. After SIGUSR1, the server reopens the access
  /// log. After the first SIGTERM or SIGINT, the server still accepts requests during `drainDelay`,
  /// so that load balancers can notice that it is no longer ready, and then stops. The second
  /// SIGTERM or SIGINT stops the server immediately.
  private func startSignals(
    _ requests: MaintenanceRequests, _ server: Server, _ admin: Admin, _ live: LiveConfiguration
  ) throws(SystemError) -> Posix.Thread {
    let (status, health) = (admin.status, admin.health)
    return try Thread(named: "signals") { [watch, issuing, log] in
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
            // Exit immediately, because the server does not serve yet and has changed no file.
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
}

/// A note for users of a debug build, because a debug build is much slower than a release build.
private var buildNote: String {
  #if DEBUG
    "this is a debug build, only for testing; build with swift build -c release before you "
      + "install it\n"
  #else
    ""
  #endif
}

private let superuserWarning = Diagnostic(
  .runsAsSuperuser, "the server runs as root, which is not necessary")

/// Stops the server without waiting long for the thread that reads and checks files. That thread
/// may be busy with a large file, or may hang on a network mount that does not answer.
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
      .readUnfinished,
      "a file is still being read, written or checked, and the server does not wait for it"))
}
