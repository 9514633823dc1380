package import Diagnostics
package import Posix

/// What became of the settings that the user gave.
package struct Resolution: Sendable {
  /// Nil when there are errors.
  package let configuration: Configuration?
  /// All of them, warnings too, in the order in which the sources are read: file, environment,
  /// flags, and what they say together.
  package let diagnostics: [Diagnostic]
}

/// What reading a file throws. The name is here because a typed `throws` alone does not count as a
/// use of the package import.
package typealias ReadFileError = SystemError

extension Configuration {
  /// The folder of the example, which is also what a container has.
  static let defaultFolder = "Config"

  /// Where server.json is looked for when nobody names it.
  package static let defaultFiles = ["Config/server.json", "/etc/aasa/server.json"]

  /// Brings flags, environment, server.json and defaults together, in that precedence.
  ///
  /// - Parameters:
  ///   - flags: the flags that were given, with all their values, by the keys of their settings.
  ///   - environment: all variables; those that do not begin with `AASA_` are passed over, and so
  ///     are empty ones.
  ///   - file: the server.json to read when neither flags nor environment name one; nil for the first
  ///     of `defaultFiles` that exists.
  ///   - readFile: reads a whole file; its size is limited again here.
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
