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
  let manager = environmentVariables()["NOTIFY_SOCKET"]
  let log = Logger(label: "aasa") { _ in StandardErrorLog() }
  do {
    let requests = try MaintenanceRequests()
    let server = try open(configuration, log)
    let admin = try Admin(configuration)
    let signals = try startSignals(
      requests, server, admin.health, configuration.drainDelay.milliseconds)
    try admin.start(server, configuration)
    var maintenance = try Maintenance(
      hostingOptions(configuration), requests: requests, status: admin.status
    ) {
      tell(of: $0)
    }
    let catalog = maintenance.load()
    server.publisher.publish(catalog)
    try server.start()
    if isSuperuser { printError(superuserWarning.line) }
    writeToStandard(
      1,
      banner(
        catalog, maintenance.certificateSummary, server.endpoints, admin.lines, configuration))
    ServiceManager.tell(.ready, socket: manager)
    maintenance.run(publisher: server.publisher) { server.wake() }
    ServiceManager.tell(.stopping, socket: manager)
    server.stop()
    admin.stop()
    _ = signals
    return 0
  } catch let error as ServerError {
    for line in lines(for: error) { printError(line) }
  } catch let fault as AdminListenerFault {
    printError(fault.diagnostic.line)
  } catch {
    printError("error: \(error)")
  }
  return 1
}

private let superuserWarning = Diagnostic(
  .warning, code: "H016", "the server runs as root, and needs no such right",
  help: "run it as another user, and let ports below 1024 be published by the service manager or"
    + " the container, or give the binary CAP_NET_BIND_SERVICE")

/// Opens every address, or tells of all that cannot be opened.
private func open(_ configuration: Configuration, _ log: Logger) throws -> Server {
  var endpoints: [Server.Endpoint] = []
  for (addresses, isSecure) in [(configuration.http, false), (configuration.https, true)] {
    for address in addresses {
      for (index, literal) in address.literals.enumerated() {
        guard let address = SocketAddress(literal: literal, port: address.port) else { continue }
        endpoints.append(
          Server.Endpoint(address: address, isSecure: isSecure, isOptional: index > 0))
      }
    }
  }
  return try Server(
    options: serverOptions(configuration), endpoints: endpoints,
    publisher: CatalogPublisher(Catalog(sites: [], aliases: [], material: nil)),
    context: try context(configuration), log: log)
}

private func context(_ configuration: Configuration) throws(TLSError) -> ServerContext? {
  if configuration.https.isEmpty { return nil }
  return try ServerContext(
    sessionLifetime: Int(configuration.ticketLifetime.components.seconds))
}

/// SIGHUP reads everything again, SIGUSR1 opens the access log again; SIGTERM and SIGINT stop, a
/// second one at once.
///
/// - Parameter drainDelay: milliseconds for which requests are still accepted, so that load
///   balancers have the time to see that the server is not ready any more.
private func startSignals(
  _ requests: MaintenanceRequests, _ server: Server, _ health: Health, _ drainDelay: Int64
) throws(SystemError) -> Posix.Thread {
  try Thread(named: "signals") {
    var isStopping = false
    while true {
      switch Signal.wait() {
      case .hangUp: requests.reload()
      case .user1: server.reopenAccessLog()
      case .interrupt, .terminate:
        if isStopping { exitImmediately(1) }
        isStopping = true
        health.beginDraining()
        requests.stop(afterMilliseconds: drainDelay)
      }
    }
  }
}

private func hostingOptions(_ configuration: Configuration) -> HostingOptions {
  var options = HostingOptions()
  options.domains = configuration.domains
  options.certificates = configuration.https.isEmpty ? nil : configuration.certificates
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
  fileprivate var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }
}
