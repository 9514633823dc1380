internal import Posix
package import Settings

/// Where a server's settings come from: flags, besides the environment and server.json.
package struct SettingSources: Sendable {
  /// The given flags with their values, by the keys of their settings.
  package let flags: [String: [String]]

  package init(flags: [String: [String]]) { self.flags = flags }

  /// - Parameter file: The server.json to read if neither flags nor environment name one.
  package func resolution(file: String? = nil) -> Resolution {
    Configuration.resolve(flags: flags, environment: environmentVariables(), file: file) {
      (path: String) throws(SystemError) -> [UInt8] in
      try readFile(path, limit: Configuration.largestFile)
    }
  }
}
