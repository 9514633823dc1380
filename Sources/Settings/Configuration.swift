internal import Bytes
package import Diagnostics

/// The values of all settings, and the origin of each value. The initial value of each field is the
/// default of the field's setting.
package struct Configuration: Sendable {
  /// The origin of a value. The cases are in ascending order of precedence.
  package enum Origin: Sendable, Equatable, CustomStringConvertible {
    case `default`
    case file(path: String, place: Diagnostic.Place)
    case environment(String)
    case flag(String)

    package var description: String {
      switch self {
      case .default: "default"
      case .file(let path, let place): "\(path):\(place.line)"
      case .environment(let name): name
      case .flag(let name): name
      }
    }

    /// The location that diagnostics about the value show.
    var location: Diagnostic.Location {
      if case .file(let path, let place) = self { return .init(path: path, place: place) }
      return .init(path: description)
    }
  }

  /// The maximum size of a server.json in bytes. A server.json with 100,000 aliases has about half
  /// of this size.
  package static let largestFile = 8 * 1_048_576

  /// The path of the server.json that was read; empty if no server.json was read.
  package var file = ""
  /// The certificates folder. Like every path in this type, it is relative to the working directory
  /// unless it begins with a slash.
  package var certificates = "certificates"
  package var http = [ListenAddress(.address(.v6(high: 0, low: 0)), port: 8080)]
  package var https = [ListenAddress(.address(.v6(high: 0, low: 0)), port: 8443)]
  /// The number of event loops. If 0, there is one event loop for each available processor.
  package var threads = 0
  /// The maximum number of connections. If 0, the maximum is derived from the descriptor limit.
  package var maxConnections = 0
  package var connections = ConnectionOptions()
  /// The options for hosting. To read these options, use `hosting(isSecure:)`, which adds the
  /// options that other settings imply.
  package var hosting = HostingOptions()
  /// The target of the access log: `stdout`, `none`, or the path of a file.
  package var accessLog = "stdout"
  package var logAddresses = LogAddresses.truncated
  package var logLevel = LogLevel.info
  package var logFormat = LogFormat.auto
  /// The address of the admin listener; nil if the setting is `none`. Neither IANA nor Prometheus'
  /// list of default ports assigns port 12272.
  package var admin: ListenAddress? = ListenAddress(.address(.loopbackIPv4), port: 12272)
  package var adminHosts: [String] = []
  /// Milliseconds for which the server accepts new requests after SIGTERM.
  package var drainDelay: Int64 = 0
  package var hasMetricsPerDomain = false
  package var isChecking = false
  /// Milliseconds between two checks from outside of the same domain.
  package var checkInterval: Int64 = 3_600_000
  /// The CDN from which the checks fetch files: the URL of a CDN, `apple` for Apple's CDN, or
  /// `none`.
  package var checkCDN = "apple"

  /// The state folder, which keeps served versions for the next start, or `none`. To read this
  /// setting, use `stateFolder`.
  package var state = "none"

  package var issuance = IssuanceOptions()

  /// The origin of each setting's value, keyed by `Setting.key`. A setting without an element in
  /// this dictionary has its default.
  var origins: [String: Origin] = [:]

  /// Makes a configuration with all defaults. Default paths are relative to `folder`, the folder of
  /// server.json.
  init(folder: String = "") {
    for setting in folder.isEmpty ? [] : Setting.all { setting.place(&self, folder) }
  }

  package func origin(of setting: Setting) -> Origin { origins[setting.key] ?? .default }

  /// Returns the origin of the value of this field.
  package func origin(of path: PartialKeyPath<Configuration>) -> Origin {
    Setting.all.first { $0.path == path }.map(origin) ?? .default
  }

  /// Returns the value of a setting as a user would write it; empty if the setting has no value.
  package func text(of setting: Setting) -> String { setting.text(self) }

  /// The domains folder.
  package var domains: String { hosting.domains }

  /// The state folder, which keeps served versions for the next start; nil if the setting is
  /// `none`.
  package var stateFolder: String? { state == "none" ? nil : state }

  /// - Parameter isSecure: Whether any listener uses TLS.
  package func hosting(isSecure: Bool) -> HostingOptions {
    var options = hosting
    options.certificates = isSecure ? certificates : nil
    options.isCertificatesFolderExpected = origin(of: \.certificates) != .default
    options.isDefaultCertificateExpected = origin(of: \.hosting.defaultCertificate) != .default
    return options
  }
}

/// Returns a relative path with `folder` in front of the path. Returns an absolute path unchanged.
func joined(_ folder: String, _ path: String) -> String {
  if folder.isEmpty || path.hasPrefix("/") { return path }
  return folder.hasSuffix("/") ? folder + path : folder + "/" + path
}

/// The format of logs.
package enum LogFormat: String, Sendable, CaseIterable {
  /// The server's log is text. The access log is text if its target is a terminal; otherwise the
  /// access log is JSON.
  case auto
  /// One line for each event, for people.
  case text
  /// One JSON object on each line.
  case json
}

/// The part of a client's address that the access log shows.
package enum LogAddresses: String, Sendable, CaseIterable {
  case full
  /// The first 24 bits of an IPv4 address, or the first 48 bits of an IPv6 address. These bits
  /// identify a network but not a person.
  case truncated
  case none
}

/// The least severe level that the server's log shows.
package enum LogLevel: String, Sendable, CaseIterable {
  case debug, info, warning, error
}
