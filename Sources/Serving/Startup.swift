internal import Catalog
internal import Checking
internal import Issuance
internal import Keeping
internal import Posix
internal import Server
internal import Settings
internal import TLS

/// The objects that the server makes from its settings before it opens a port. With
/// `--validate-only`, the program makes the same objects, but opens no port.
struct Startup: Sendable {
  let configuration: Configuration
  let environment: [String: String]
  let plan: ListeningPlan
  /// The automatic certificates; nil if the settings do not enable them.
  let issuing: Issuing?
  /// The object that checks domains from outside; nil if the settings turn these checks off.
  let watch: OutsideMonitor?
  let log: ServerLog
  /// The TLS context; nil if no listener uses TLS.
  private let context: ServerContext?
  private let progress = ProgressLine("loading", of: "domains")
  private let certificateProgress = ProgressLine("loading", of: "certificates")

  init(_ configuration: Configuration, _ log: ServerLog) throws {
    self.configuration = configuration
    self.log = log
    environment = environmentVariables()
    plan = ListeningPlan(configuration, try ServiceManager.sockets(environment))
    issuing = try Issuing(configuration, environment: environment)
    context =
      plan.isSecure
      ? try ServerContext(
        sessionLifetime: Int(configuration.hosting.ticketRotation / 1000),
        challenges: issuing?.challenges) : nil
    watch = try OutsideMonitor(configuration, environment: environment)
  }

  /// Returns the options for reading and serving files. Most options come from the settings. The
  /// others, such as the functions that show progress, come from this process.
  func hosting(_ configuration: Configuration) -> HostingOptions {
    var options = configuration.hosting(isSecure: plan.isSecure)
    // An issuer without listeners also reads the user's certificates, because it requests no
    // certificate for a name that a user's certificate covers.
    if plan.isEmpty { options.certificates = configuration.certificates }
    let loadsCertificates = plan.isSecure || plan.isEmpty
    options.issuedCertificates = loadsCertificates ? issuing?.certificates : nil
    options.revocations = issuing?.revocations
    options.state = configuration.stateFolder
    options.progress = { [progress] in progress.advance($0, of: $1) }
    options.certificateProgress = { [certificateProgress] in
      certificateProgress.advance($0, of: $1)
    }
    return options
  }

  /// Makes the object that reads and watches the files, and logs its reports.
  ///
  /// - Parameter note: Called with each report, before the report is logged.
  func maintenance(
    _ options: HostingOptions, _ requests: MaintenanceRequests,
    _ status: StatusPublisher = StatusPublisher(),
    note: @escaping @Sendable (Report) -> Void = { _ in }
  ) throws -> Maintenance {
    try Maintenance(options, requests: requests, status: status) {
      progress.end()
      certificateProgress.end()
      note($0)
      write($0, to: log)
    }
  }

  /// Opens all addresses. The thrown error lists every address that cannot be opened.
  func open() throws -> Server {
    // Ignore the memory limit here, because the memory that the files need is not known yet.
    let connectionLimit = ConnectionLimit(configuration, limit: nil)
    var options = Server.Options(
      threads: ConnectionLimit.threads(configuration), maxConnections: connectionLimit.most)
    options.connections = configuration.connections
    options.wellKnown = configuration.hosting.wellKnownFiles
    options.accessLog = accessLog
    options.challenges = issuing?.answers
    return try Server(
      options: options, endpoints: plan.endpoints, inherited: plan.inherited,
      publisher: CatalogPublisher(Catalog(sites: [], aliases: [], material: nil)),
      context: context, log: log.logger)
  }

  var accessLog: AccessLogOptions? {
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
}
