internal import Diagnostics
internal import Hosting
internal import Posix
internal import Server
internal import TLS

/// The admin listener and what hangs on it.
struct Admin {
  let status = StatusPublisher()
  let health: Health
  /// What domains look like from outside; nil when nobody looks.
  let checks: OutsideChecks?
  /// Nil when it is turned off, or its port was taken and nobody had asked for it.
  private let listener: PageListener?
  /// Why there is none though there should be.
  let warning: Diagnostic?
  private let started = Clock.wallSeconds()

  /// Listens where the settings say.
  ///
  /// Throws when that cannot be, and the user has asked for it. The default address may be another
  /// server's on the same machine: that is a warning.
  init(_ configuration: Configuration) throws(AdminListenerFault) {
    health = Health(status)
    checks = configuration.isChecking ? OutsideChecks() : nil
    guard let address = configuration.admin else {
      (listener, warning) = (nil, nil)
      return
    }
    let wanted = address.literals.compactMap { SocketAddress(literal: $0, port: address.port) }
    do throws(SystemError) {
      listener = try PageListener(wanted, limits: .admin)
      warning = nil
    } catch {
      let fault = AdminListenerFault(
        address: address, error: error,
        isFatal: configuration.origin(of: \.admin) != .default)
      if fault.isFatal { throw fault }
      listener = nil
      warning = fault.diagnostic
    }
  }

  /// Begins to answer: before files are loaded, so that probes see that they are being loaded.
  func start(_ server: Server, _ configuration: Configuration) throws(SystemError) {
    let (status, health, started, checks) = (status, health, started, checks)
    let metrics = server.metrics
    let page = MetricsPage(
      server: metrics, hosting: status, health: health,
      build: [("version", programVersion), ("openssl", openSSLVersion)], started: started,
      hasDomains: configuration.hasMetricsPerDomain, checks: checks)
    let pages = AdminPages(
      hosts: configuration.adminHosts, health: health, metrics: page
    ) { request in
      StatusDocument(
        status.current, health, metrics.snapshot(), checks, started: started,
        now: Clock.wallSeconds()
      ).answer(to: request)
    }
    try listener?.start(named: "admin") { .now(pages.answer($0)) }
  }

  /// For the banner.
  var lines: [String] { (listener?.addresses ?? []).map { "admin http://\($0)" } }

  func stop() { listener?.stop() }
}

/// The admin listener's address cannot be listened on.
struct AdminListenerFault: Error {
  let address: ListenAddress
  let error: SystemError
  /// The user has asked for this address.
  let isFatal: Bool

  var diagnostic: Diagnostic {
    let help =
      error.isAddressInUse
      ? "give each server on this machine its own, for example --admin 127.0.0.1:12273, or turn it"
        + " off with --admin none"
      : error.isNoSuchAddress
        ? "this machine does not have that address: choose another with --admin"
        : "choose another address with --admin, or turn it off with --admin none"
    return Diagnostic(
      isFatal ? .error : .warning, code: "H040",
      "cannot listen on the admin address \(address): \(error.reason)", help: help,
      note: isFatal ? nil : "health, metrics and status of this server cannot be asked for")
  }
}
