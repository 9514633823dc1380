internal import Posix
package import Settings

/// The sources of a server's settings: flags, the environment and server.json.
package struct SettingSources: Sendable {
  /// The values of the flags that the user gave, keyed by `Setting.key`.
  package let flags: [String: [String]]

  package init(flags: [String: [String]]) { self.flags = flags }

  /// - Parameter file: The server.json to read if neither a flag nor the environment specifies its
  ///   path.
  package func resolution(file: String? = nil) -> Resolution {
    Configuration.resolve(flags: flags, environment: environmentVariables(), file: file) {
      (path: String) throws(SystemError) -> [UInt8] in
      try readFile(path, limit: Configuration.largestFile)
    }
  }
}
