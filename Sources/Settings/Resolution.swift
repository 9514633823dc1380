package import Diagnostics
package import Posix

/// The result of resolving the settings that the user gave.
package struct Resolution: Sendable {
  /// Nil if there are errors.
  package let configuration: Configuration?
  /// Errors and warnings in the order in which the sources are read: file, environment, flags, and
  /// then combinations.
  package let diagnostics: [Diagnostic]
}

/// The error of reading a file. The alias is needed because a typed `throws` alone does not count
/// as a use of the package import.
package typealias ReadFileError = SystemError

extension Configuration {
  /// The folder of the example configuration; containers have it too.
  static let defaultFolder = "Config"

  /// The places of server.json if no other is named.
  package static let defaultFiles = ["Config/server.json", "/etc/aasa/server.json"]

  /// Combines flags, environment, server.json and defaults, in that precedence.
  ///
  /// - Parameters:
  ///   - flags: The given flags with all their values, by the keys of their settings.
  ///   - environment: All variables. Empty ones, and those that do not begin with `AASA_`, are
  ///     ignored.
  ///   - file: The server.json to read if neither flags nor environment name one; nil for the first
  ///     of `defaultFiles` that exists.
  ///   - readFile: Reads a whole file. The size is checked again here.
  package static func resolve(
    flags: [String: [String]], environment: [String: String], file: String? = nil,
    readFile: (String) throws(ReadFileError) -> [UInt8]
  ) -> Resolution {
    var resolver = ConfigurationResolver(
      flags: flags.filter { !$0.value.isEmpty },
      environment: environment.filter { !$0.value.isEmpty })
    resolver.readServerFile(file, readFile)
    resolver.readEnvironment()
    resolver.readFlags()
    resolver.checkTogether()
    let failed = resolver.diagnostics.contains { $0.severity == .error }
    return Resolution(
      configuration: failed ? nil : resolver.configuration, diagnostics: resolver.diagnostics)
  }
}
