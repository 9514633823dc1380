internal import ArgumentParser
package import Hosting

/// One flag for each setting. Names and help are those of the table; a test shows that none is
/// missing.
package struct ServerOptions: ParsableArguments {
  @Option(name: .setting(.config), help: .setting(.config), completion: .setting(.config))
  var config: String?
  @Option(name: .setting(.domains), help: .setting(.domains), completion: .setting(.domains))
  var domains: String?
  @Option(
    name: .setting(.certificates), help: .setting(.certificates),
    completion: .setting(.certificates)) var certificates: String?
  @Option(name: .setting(.http), help: .setting(.http)) var http: [String] = []
  @Option(name: .setting(.https), help: .setting(.https)) var https: [String] = []
  @Option(name: .setting(.threads), help: .setting(.threads)) var threads: String?
  @Option(name: .setting(.aliases), help: .setting(.aliases)) var aliases: [String] = []
  @Option(name: .setting(.defaultCertificate), help: .setting(.defaultCertificate))
  var defaultCertificate: String?
  @Option(name: .setting(.cacheControl), help: .setting(.cacheControl)) var cacheControl: String?
  @Option(name: .setting(.minify), help: .setting(.minify), completion: .setting(.minify))
  var minify: String?
  @Option(name: .setting(.gracePeriod), help: .setting(.gracePeriod)) var gracePeriod: String?
  @Option(name: .setting(.allowHosts), help: .setting(.allowHosts)) var allowHosts: [String] = []
  @Option(name: .setting(.trustedProxies), help: .setting(.trustedProxies))
  var trustedProxies: [String] = []
  @Option(name: .setting(.proxyProtocol), help: .setting(.proxyProtocol))
  var proxyProtocol: String?
  @Option(name: .setting(.accessLog), help: .setting(.accessLog)) var accessLog: String?
  @Option(
    name: .setting(.logAddresses), help: .setting(.logAddresses),
    completion: .setting(.logAddresses))
  var logAddresses: String?
  @Option(name: .setting(.logLevel), help: .setting(.logLevel), completion: .setting(.logLevel))
  var logLevel: String?
  @Option(name: .setting(.logFormat), help: .setting(.logFormat), completion: .setting(.logFormat))
  var logFormat: String?
  @Option(name: .setting(.headBytes), help: .setting(.headBytes)) var headBytes: String?
  @Option(name: .setting(.targetBytes), help: .setting(.targetBytes)) var targetBytes: String?
  @Option(name: .setting(.fieldLines), help: .setting(.fieldLines)) var fieldLines: String?
  @Option(name: .setting(.bodyBytes), help: .setting(.bodyBytes)) var bodyBytes: String?
  @Option(name: .setting(.headTimeout), help: .setting(.headTimeout)) var headTimeout: String?
  @Option(name: .setting(.handshakeTimeout), help: .setting(.handshakeTimeout))
  var handshakeTimeout: String?
  @Option(name: .setting(.idleTimeout), help: .setting(.idleTimeout)) var idleTimeout: String?
  @Option(name: .setting(.writeTimeout), help: .setting(.writeTimeout)) var writeTimeout: String?
  @Option(name: .setting(.bodyTimeout), help: .setting(.bodyTimeout)) var bodyTimeout: String?
  @Option(name: .setting(.lingerTimeout), help: .setting(.lingerTimeout))
  var lingerTimeout: String?
  @Option(name: .setting(.maxConnections), help: .setting(.maxConnections))
  var maxConnections: String?
  @Option(name: .setting(.maxConnectionsPerClient), help: .setting(.maxConnectionsPerClient))
  var maxConnectionsPerClient: String?
  @Option(name: .setting(.retryAfter), help: .setting(.retryAfter)) var retryAfter: String?
  @Option(name: .setting(.certificateWarningDays), help: .setting(.certificateWarningDays))
  var certificateWarningDays: String?
  @Option(name: .setting(.ticketLifetime), help: .setting(.ticketLifetime))
  var ticketLifetime: String?
  @Option(name: .setting(.watch), help: .setting(.watch), completion: .setting(.watch))
  var watch: String?
  @Option(name: .setting(.admin), help: .setting(.admin)) var admin: String?
  @Option(name: .setting(.adminHosts), help: .setting(.adminHosts)) var adminHosts: [String] = []
  @Option(name: .setting(.drainDelay), help: .setting(.drainDelay)) var drainDelay: String?
  @Option(
    name: .setting(.metricsPerDomain), help: .setting(.metricsPerDomain),
    completion: .setting(.metricsPerDomain))
  var metricsPerDomain: String?
  @Option(name: .setting(.check), help: .setting(.check), completion: .setting(.check))
  var check: String?
  @Option(name: .setting(.checkInterval), help: .setting(.checkInterval))
  var checkInterval: String?
  @Option(name: .setting(.checkCdn), help: .setting(.checkCdn)) var checkCdn: String?

  package init() {}

  /// The flags that were given, with their values.
  package var flags: [(Setting, [String])] {
    Setting.allCases.map { ($0, values(of: $0)) }.filter { !$0.1.isEmpty }
  }

  private func values(of setting: Setting) -> [String] {
    switch setting {
    case .http: http
    case .https: https
    case .aliases: aliases
    case .config: list(config)
    case .domains: list(domains)
    case .certificates: list(certificates)
    case .threads: list(threads)
    case .defaultCertificate: list(defaultCertificate)
    case .cacheControl: list(cacheControl)
    case .minify: list(minify)
    case .gracePeriod: list(gracePeriod)
    case .allowHosts: allowHosts
    case .trustedProxies: trustedProxies
    case .proxyProtocol: list(proxyProtocol)
    case .accessLog: list(accessLog)
    case .logAddresses: list(logAddresses)
    case .logLevel: list(logLevel)
    case .logFormat: list(logFormat)
    case .headBytes: list(headBytes)
    case .targetBytes: list(targetBytes)
    case .fieldLines: list(fieldLines)
    case .bodyBytes: list(bodyBytes)
    case .headTimeout: list(headTimeout)
    case .handshakeTimeout: list(handshakeTimeout)
    case .idleTimeout: list(idleTimeout)
    case .writeTimeout: list(writeTimeout)
    case .bodyTimeout: list(bodyTimeout)
    case .lingerTimeout: list(lingerTimeout)
    case .maxConnections: list(maxConnections)
    case .maxConnectionsPerClient: list(maxConnectionsPerClient)
    case .retryAfter: list(retryAfter)
    case .certificateWarningDays: list(certificateWarningDays)
    case .ticketLifetime: list(ticketLifetime)
    case .check: list(check)
    case .checkInterval: list(checkInterval)
    case .checkCdn: list(checkCdn)
    case .watch: list(watch)
    case .admin: list(admin)
    case .adminHosts: adminHosts
    case .drainDelay: list(drainDelay)
    case .metricsPerDomain: list(metricsPerDomain)
    }
  }

  private func list(_ value: String?) -> [String] { value.map { [$0] } ?? [] }
}

extension NameSpecification {
  fileprivate static func setting(_ setting: Setting) -> NameSpecification {
    .customLong(setting.flagName)
  }
}

extension CompletionKind {
  fileprivate static func setting(_ setting: Setting) -> CompletionKind {
    switch setting.valueKind {
    case .file: .file()
    case .folder: .directory
    case .words(let words): .list(words)
    case .other: .default
    }
  }
}

extension ArgumentHelp {
  fileprivate static func setting(_ setting: Setting) -> ArgumentHelp {
    let repeatable = setting.isRepeatable ? ", repeatable" : ""
    return ArgumentHelp(
      "\(setting.help) (default: \(setting.defaultDescription)\(repeatable))",
      valueName: setting.valueName)
  }
}
