package import Posix

/// The settings as they are in force, and where each comes from.
package struct Configuration: Sendable {
  /// Where a value comes from, from the weakest to the strongest.
  package enum Origin: Sendable, Equatable, CustomStringConvertible {
    case `default`
    case file(path: String, line: Int)
    case environment(String)
    case flag(String)

    package var description: String {
      switch self {
      case .default: "default"
      case .file(let path, let line): "\(path):\(line)"
      case .environment(let name): name
      case .flag(let name): name
      }
    }
  }

  /// The largest server.json that is read, in bytes: a hundred thousand aliases take about half.
  package static let largestFile = 8 * 1_048_576

  private var values: [Setting: SettingValue]
  private var origins: [Setting: Origin]

  /// The defaults, for when there is no server.json.
  init(folder: String) {
    values = [:]
    origins = [:]
    for setting in Setting.allCases {
      // A test shows that every default is a correct value.
      guard case .folder = setting.definition.form else {
        values[setting] = try? setting.parse([setting.defaultText])
        continue
      }
      values[setting] = .text(joined(folder, setting.defaultText))
    }
  }

  mutating func set(_ setting: Setting, to value: SettingValue, from origin: Origin) {
    values[setting] = value
    origins[setting] = origin
  }

  package func origin(of setting: Setting) -> Origin { origins[setting] ?? .default }

  /// The value as a user would write it; empty for nothing.
  package func text(of setting: Setting) -> String { values[setting]?.text ?? "" }
}

// The settings by their types.
extension Configuration {
  /// The server.json that was read; nil without one.
  package var configurationFile: String? { values[.config].map(\.text) }
  /// Relative to the working directory when it does not begin with a slash.
  package var domains: String { text(of: .domains) }
  package var certificates: String { text(of: .certificates) }
  package var http: [ListenAddress] { addresses(.http) }
  package var https: [ListenAddress] { addresses(.https) }
  /// 0 for the processors available.
  package var threads: Int { integer(.threads) }
  package var aliases: [Alias] {
    guard case .aliases(let list) = values[.aliases] else { return [] }
    return list
  }
  package var defaultCertificate: String { text(of: .defaultCertificate) }
  package var cacheControl: String { text(of: .cacheControl) }
  package var minification: HostingOptions.Minification {
    HostingOptions.Minification(rawValue: text(of: .minify)) ?? .off
  }
  /// Host names, or `*.` and one.
  package var allowedHosts: [String] { texts(.allowHosts) }
  package var trustedProxies: [Network] { texts(.trustedProxies).compactMap(Network.init) }
  package var expectsProxyProtocol: Bool { text(of: .proxyProtocol) == "on" }
  /// `stdout`, `none`, or a file: relative to the working directory when it does not begin with a
  /// slash.
  package var accessLog: String { text(of: .accessLog) }
  package var logAddresses: LogAddresses {
    LogAddresses(rawValue: text(of: .logAddresses)) ?? .truncated
  }
  package var logLevel: LogLevel { LogLevel(rawValue: text(of: .logLevel)) ?? .info }
  package var logFormat: LogFormat { LogFormat(rawValue: text(of: .logFormat)) ?? .auto }
  package var gracePeriod: Duration { duration(.gracePeriod) }
  package var headBytes: Int { integer(.headBytes) }
  package var targetBytes: Int { integer(.targetBytes) }
  package var fieldLines: Int { integer(.fieldLines) }
  package var bodyBytes: Int { integer(.bodyBytes) }
  package var headTimeout: Duration { duration(.headTimeout) }
  package var handshakeTimeout: Duration { duration(.handshakeTimeout) }
  package var idleTimeout: Duration { duration(.idleTimeout) }
  package var writeTimeout: Duration { duration(.writeTimeout) }
  package var bodyTimeout: Duration { duration(.bodyTimeout) }
  package var lingerTimeout: Duration { duration(.lingerTimeout) }
  /// 0 for what the limit of descriptors allows.
  package var maxConnections: Int { integer(.maxConnections) }
  package var maxConnectionsPerClient: Int { integer(.maxConnectionsPerClient) }
  /// Whole seconds.
  package var retryAfter: Duration { duration(.retryAfter) }
  package var certificateWarningDays: Int { integer(.certificateWarningDays) }
  package var watch: HostingOptions.Watch {
    HostingOptions.Watch(rawValue: text(of: .watch)) ?? .auto
  }
  /// Whole seconds.
  package var ticketLifetime: Duration { duration(.ticketLifetime) }

  /// Nil when there is no admin listener.
  package var admin: ListenAddress? { addresses(.admin).first }
  package var adminHosts: [String] {
    guard case .hosts(let list) = values[.adminHosts] else { return [] }
    return list
  }
  package var drainDelay: Duration { duration(.drainDelay) }
  package var hasMetricsPerDomain: Bool { text(of: .metricsPerDomain) == "on" }

  package var isChecking: Bool { text(of: .check) == "on" }
  package var checkInterval: Duration { duration(.checkInterval) }
  /// A URL, or one of the words `apple` and `none`.
  package var checkCDN: String { text(of: .checkCdn) }

  private func addresses(_ setting: Setting) -> [ListenAddress] {
    guard case .addresses(let list) = values[setting] else {
      preconditionFailure("\(setting.key) is no list of addresses")
    }
    return list
  }

  private func texts(_ setting: Setting) -> [String] {
    guard case .hosts(let list) = values[setting] else { return [] }
    return list
  }

  private func integer(_ setting: Setting) -> Int {
    switch values[setting] {
    case .count(let number), .size(let number): return number
    default: preconditionFailure("\(setting.key) is no number")
    }
  }

  private func duration(_ setting: Setting) -> Duration {
    guard case .duration(let milliseconds) = values[setting] else {
      preconditionFailure("\(setting.key) is no duration")
    }
    return .milliseconds(milliseconds)
  }
}

/// `path` seen from `folder`.
func joined(_ folder: String, _ path: String) -> String {
  if folder.isEmpty || path.hasPrefix("/") { return path }
  return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}
