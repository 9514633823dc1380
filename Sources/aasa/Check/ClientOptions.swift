internal import ArgumentParser
internal import Checking
internal import Client
internal import Posix
internal import Rules
internal import Settings
internal import TLS

struct ClientOptions: ParsableArguments {
  @OptionGroup var server: ServerChoice
  @Option(
    help: ArgumentHelp(
      "the time limit for one response, all steps included (default: 10s)", valueName: "TIME"))
  var timeout: String?

  /// Throws an error if the user gave one of these options, but the command sends no requests.
  func refuseUnused(_ help: String = "give --host too") throws {
    let given = [
      ("--ca", server.ca), ("--origin", server.origin), ("--resolve", server.resolve.first),
      ("--timeout", timeout),
    ]
    if let (name, _) = given.first(where: { $0.1 != nil }) {
      throw ValidationError("\(name) applies only to requests to a server; \(help)")
    }
  }

  func settings() throws -> ClientSettings { try server.settings(timeout: timeout) }

  /// Returns the settings of a check. If `--cdn` is missing, the check asks Apple's CDN about the
  /// domains that this CDN can reach. If `--google` is missing, the check asks Google's service
  /// about the domains that this service can reach. With `--origin` or `--ca`, a missing option
  /// means `none`.
  ///
  /// - Parameters:
  ///   - cdn: The value of `--cdn`.
  ///   - google: The value of `--google`.
  func context(
    cdn: String?, google: String?, _ policy: VerdictPolicy = VerdictPolicy()
  ) throws -> CheckContext {
    var context = CheckContext(try settings(), policy)
    let standard = server.isPrivate ? "none" : nil
    context.google = try googleService(google ?? standard ?? GoogleStatements.service)
    if let cdn {
      context.cdn = try cdnAddress(cdn)
    } else {
      context.apple = try cdnAddress(standard ?? CDNAddress.apple)
    }
    return context
  }
}

struct ServerChoice: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "trust the certificates in this PEM file instead of the system's "
        + "certificates", valueName: "FILE"),
    completion: .file())
  var ca: String?
  @Option(
    help: ArgumentHelp(
      "for every domain, connect to this address instead of its own, for example before a DNS "
        + "change",
      valueName: "IP:PORT"))
  var origin: String?
  @Option(
    help: ArgumentHelp(
      "for this host and port only, connect to this address, which may include another port "
        + "(repeatable)", valueName: "HOST:PORT:IP"))
  var resolve: [String] = []

  /// Whether `--origin` or `--ca` is set. If so, the results may differ from those of public
  /// clients.
  var isPrivate: Bool { ca != nil || origin != nil }

  /// - Parameter timeout: The time limit for one response; nil to use the default.
  func settings(timeout: String?) throws -> ClientSettings {
    var options = FetchOptions()
    options.userAgent = ClientIdentity.robot.userAgent
    if let timeout {
      guard let milliseconds = milliseconds(ofDuration: timeout, in: 10...600_000) else {
        throw ValidationError("--timeout \(timeout) is not a time from 10ms to 10m, such as 10s")
      }
      options.timeout = Int64(milliseconds)
    }
    if let origin { options.origin = try address(origin) }
    let variables = environmentVariables()
    for (name, value) in unusableProxies(variables) {
      printError(
        "warning: \(name)=\(value) is ignored: only http:// proxies work; the requests use no "
          + "proxy")
    }
    let context: ClientContext
    do {
      context = try ClientContext(trust: try trustStore())
    } catch let error as TLSError {
      throw failure("TLS cannot be used: \(error.description)", .usage)
    }
    Signal.ignoreBrokenPipes()
    return ClientSettings(
      options: options, world: World(context),
      resolutions: try parsing(resolve.map(ClientSettings.Resolution.init)),
      variables: variables)
  }

  private func address(_ text: String) throws -> SocketAddress {
    // If the option contains no port, use the port of the host.
    let bare = text.hasPrefix("[") || text.count(where: { $0 == ":" }) == 1
    let parts = bare ? hostAndPort(text) : (text, nil)
    guard let (host, port) = parts, let address = SocketAddress(literal: host, port: port ?? 443)
    else {
      throw ValidationError(
        "--origin \(text) is not an address such as 192.0.2.1:443 or [2001:db8::1]:443")
    }
    return address
  }

  private func trustStore() throws -> TrustStore {
    guard let ca else {
      let system = try TrustStore.ofSystem ?? TrustStore.system()
      if system.isEmpty {
        printError(
          "warning: this system has no root certificates, so no server is trusted; install them, "
            + "or pass a file with --ca")
      }
      return system
    }
    return try readTrustStore(ca)
  }
}

/// Returns the environment variables that contain the address of an unsupported kind of proxy.
private func unusableProxies(_ variables: [String: String]) -> [(name: String, value: String)] {
  ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].compactMap { name in
    guard let value = variables[name], !value.isEmpty, ProxyAddress(value) == nil else {
      return nil
    }
    // Omit the part before `@`, because it may contain a password.
    return (name, value.contains("@") ? "…@" + (value.split(separator: "@").last ?? "") : value)
  }
}
