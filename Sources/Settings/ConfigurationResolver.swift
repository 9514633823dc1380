internal import Bytes
internal import Diagnostics
internal import HTTP
internal import JSON
internal import Posix

/// Reads the sources of the settings one after another, and collects the settings' values and
/// faults.
struct ConfigurationResolver {
  let flags: [String: [String]]
  let environment: [String: String]
  var configuration = Configuration(folder: Configuration.defaultFolder)
  var diagnostics: [Diagnostic] = []

  mutating func report(_ fault: Fault, at location: Diagnostic.Location) {
    diagnostics.append(Diagnostic(fault.kind, fault.message, at: location, help: fault.help))
  }
}

// Reading server.json
extension ConfigurationResolver {
  mutating func readServerFile(
    _ file: String?, _ readFile: (String) throws(SystemError) -> [UInt8]
  ) {
    let named = flags["config"]?.last ?? environment["AASA_CONFIG"] ?? file
    for path in named.map({ [$0] }) ?? Configuration.defaultFiles {
      do throws(SystemError) {
        let bytes = try readFile(path)
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { String(path[...$0]) } ?? ""
        configuration = Configuration(folder: folder)
        configuration.file = path
        read(SourceText(path: path, bytes: bytes), folder: folder)
        return
      } catch {
        if named == nil, error.isNotFound { continue }
        report(
          Fault(
            .unreadableFile, "cannot read the configuration: \(error.reason)",
            help: error.isTooLarge
              ? "the file may have at most \(Configuration.largestFile / 1_048_576) MiB"
              : error.isNotFound
                ? "create the file, or choose another with `--config FILE`"
                : error.isDirectory
                  ? "pass the file in the folder: `--config \(joined(path, "server.json"))`" : nil),
          at: .init(path: path))
        return
      }
    }
  }

  private mutating func read(_ source: SourceText, folder: String) {
    let root: Value
    let limits = JSONLimits(bytes: Configuration.largestFile)
    do throws(SyntaxError) { root = try Document(parsing: source, limits: limits).root } catch {
      var diagnostic = error.diagnostic(in: source)
      // For an empty server.json, replace the diagnostic's usual help, because the usual help shows
      // an association file.
      if source.bytes.isEmpty { diagnostic.help = Kind.notAnObject.fix }
      diagnostics.append(diagnostic)
      return
    }
    guard root.kind == .object else {
      report(
        Fault(.notAnObject, "the top level of the configuration is not an object"),
        at: source.location(of: root.range))
      return
    }
    var seen: Set<String> = []
    for member in root.members {
      let key = member.key
      let isFirst = seen.insert(key).inserted
      do throws(LocatedFault) {
        guard isFirst else {
          throw LocatedFault(
            Fault(.duplicateKey, "the key `\(key)` is repeated"), member.keyRange)
        }
        let setting = try setting(of: key, at: member.keyRange)
        try setting.read(&configuration, member.value)
        setting.place(&configuration, folder)
        let place = source.place(of: member.keyRange)
        configuration.origins[key] = .file(path: source.path, place: place)
      } catch {
        report(error.fault, at: source.location(of: error.range))
      }
    }
  }

  private func setting(of key: String, at range: Range<Int>) throws(LocatedFault) -> Setting {
    if key == "config" {
      throw LocatedFault(
        Fault(.notInFile, "`config` cannot be a key of the configuration itself"), range)
    }
    if let setting = Setting.named(key) { return setting }
    let keys = Setting.all.map(\.key).filter { $0 != "config" }
    let suggestion = nearest(to: key, among: keys)
    throw LocatedFault(
      Fault(
        .unknownKey, "there is no setting `\(key)`",
        help: suggestion.map { "did you mean `\($0)`?" }),
      range)
  }
}

// Reading the environment and the flags, and checking the combined settings
extension ConfigurationResolver {
  mutating func readEnvironment() {
    // systemd sets this variable to the folders of `StateDirectory=`. The server stores all its
    // state in the first of these folders.
    if let folder = environment["STATE_DIRECTORY"]?.split(separator: ":").first {
      for key in ["state", "acmeState"] where configuration.origins[key] == nil {
        guard let setting = Setting.named(key) else { continue }
        read([String(folder)], for: setting, from: .environment("STATE_DIRECTORY"))
      }
    }
    for setting in Setting.all {
      guard let text = environment[setting.variable] else { continue }
      read([text], for: setting, from: .environment(setting.variable))
    }
    let known = Setting.all.map(\.variable)
    for name in environment.keys.sorted() where name.hasPrefix("AASA_") && !known.contains(name) {
      // Ignore variables that Kubernetes sets for a Service called `aasa` or `aasa-…`.
      if name.contains("_SERVICE_") || name.hasSuffix("_PORT") || name.contains("_PORT_") {
        continue
      }
      report(
        Fault(
          .unknownVariable, "no setting has this variable, so the variable has no effect",
          help: nearest(to: name, among: known).map { "did you mean `\($0)`?" }),
        at: .init(path: name))
    }
  }

  mutating func readFlags() {
    for setting in Setting.all {
      if let texts = flags[setting.key] { read(texts, for: setting, from: .flag(setting.flag)) }
    }
  }

  private mutating func read(
    _ texts: [String], for setting: Setting, from origin: Configuration.Origin
  ) {
    do throws(Fault) {
      try setting.parse(&configuration, texts)
      configuration.origins[setting.key] = origin
    } catch {
      report(error, at: origin.location)
    }
  }

  /// Reports conflicts between two settings. The location of each diagnostic is the origin of one
  /// of the two settings.
  mutating func checkTogether() {
    // After an error, skip these checks. A refused value was replaced by another value, and this
    // other value could cause a wrong message.
    if diagnostics.contains(where: { $0.severity == .error }) { return }
    if configuration.http.isEmpty, configuration.https.isEmpty {
      report(
        Fault(
          .nothingToListenOn, "`http` and `https` are both `none`, so there is nothing to serve"),
        at: location(of: \.https))
    }
    for address in configuration.https
    where address.port != 0 && configuration.http.contains(address) {
      report(
        Fault(
          .repeatedAddress, "`\(address)` is both in `http` and in `https`",
          help: "give `http` or `https` another port, for example `--https 8443`"),
        at: location(of: \.https))
    }
    checkAdmin()
    checkProxies()
    if !configuration.issuance.authorities.isEmpty, configuration.issuance.answer != "none" {
      report(
        Fault(
          .contradiction, "`acme` and `acmeAnswer` are both set",
          help: "use `acme` on the server that gets certificates, and `acmeAnswer` on others"),
        at: location(of: \.issuance.answer))
    }
    if !configuration.https.isEmpty, configuration.domains == configuration.certificates {
      report(
        Fault(
          .contradiction, "`domains` and `certificates` are the same folder",
          help: "keep certificates and keys in a folder that is not served"),
        at: location(of: \.certificates))
    }
    let request = configuration.connections.request
    if request.targetBytes >= request.headBytes {
      report(
        Fault(
          .contradiction,
          "`targetBytes` (\(sizeText(request.targetBytes))) does not fit into `headBytes`"
            + " (\(sizeText(request.headBytes)))",
          help: "make `targetBytes` smaller or `headBytes` larger"),
        at: location(of: \.connections.request.targetBytes))
    }
  }

  /// Reports faults in the settings of trusted proxies and of the PROXY protocol, for example that
  /// any client can claim to have any address.
  private mutating func checkProxies() {
    let connections = configuration.connections
    if let everybody = connections.trustedProxies.first(where: \.containsAllOfIPv4) {
      report(
        Fault(
          .trustsEverybody,
          "`trustedProxies` contains `\(everybody)`, so every client can claim any address and "
            + "host"),
        at: location(of: \.connections.trustedProxies))
    }
    guard connections.expectsProxyProtocol, connections.trustedProxies.isEmpty else { return }
    report(
      Fault(
        .contradiction, "`proxyProtocol` is on, and there are no `trustedProxies`",
        help: "list the proxies, for example `--trusted-proxies 10.0.0.0/8`"),
      at: location(of: \.connections.expectsProxyProtocol))
  }

  /// Reports a public listener that has the same port as the admin listener, because the admin
  /// listener must not be public.
  private mutating func checkAdmin() {
    guard let admin = configuration.admin, admin.port != 0 else { return }
    for path in [\Configuration.http, \.https]
    where configuration[keyPath: path].contains(where: { $0.port == admin.port }) {
      report(
        Fault(
          .repeatedAddress,
          "`admin` and `\(path == \.http ? "http" : "https")` both use port \(admin.port)",
          help: "give the admin listener a port of its own, for example `--admin 127.0.0.1:12273`"),
        at: location(of: configuration.origin(of: \.admin) == .default ? path : \.admin))
    }
  }

  private func location(of path: PartialKeyPath<Configuration>) -> Diagnostic.Location {
    let setting = Setting.all.first { $0.path == path }
    let origin = configuration.origin(of: path)
    return origin == .default ? .init(path: setting?.flag ?? "") : origin.location
  }
}
