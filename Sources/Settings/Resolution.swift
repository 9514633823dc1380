package import Diagnostics
package import Posix

/// The result of combining the settings from all sources.
package struct Resolution: Sendable {
  /// The settings; nil if there are errors.
  package let configuration: Configuration?
  /// The values of all settings. A faulty value is replaced by the value from a source with lower
  /// precedence, or by the default.
  package let readable: Configuration
  /// Errors and warnings in the order in which the sources are read: file, environment, flags, and
  /// then conflicts between settings.
  package let diagnostics: [Diagnostic]
}

/// The error that is thrown if a file cannot be read. Without this alias the compiler would
/// consider the package import unused.
package typealias ReadFileError = SystemError

extension Configuration {
  /// The folder of the example configuration. Containers use the same folder.
  static let defaultFolder = "Config"

  /// The paths at which the program searches for server.json if the user gives no path.
  package static let defaultFiles = ["Config/server.json", "/etc/aasa/server.json"]

  /// Combines the settings from four sources, in descending order of precedence: the flags, the
  /// environment, server.json and the defaults.
  ///
  /// - Parameters:
  ///   - flags: The given flags with all their values, keyed by setting.
  ///   - environment: All variables. Only `STATE_DIRECTORY` and variables that begin with `AASA_`
  ///     are used, unless they are empty.
  ///   - file: The server.json to read if neither the flags nor the environment specify its path;
  ///     nil for the first of `defaultFiles` that exists.
  ///   - readFile: Reads a whole file. This function may limit the size, but `resolve` checks the
  ///     size again.
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
      configuration: failed ? nil : resolver.configuration, readable: resolver.configuration,
      diagnostics: resolver.diagnostics)
  }
}
