internal import ArgumentParser
internal import Posix
internal import Serving
internal import Settings

extension ServerOptions {
  var sources: SettingSources { SettingSources(flags: flags) }

  /// Returns the configuration. Writes its diagnostics to the standard error stream, one per line.
  /// If any diagnostic is an error, throws the exit code.
  ///
  /// - Parameter isForServer: Whether to write warnings in the format of the server's log.
  func resolve(isForServer: Bool = false) throws -> Configuration {
    let resolution = sources.resolution()
    let format = isForServer ? resolution.configuration?.logFormat ?? namedFormat : .text
    for diagnostic in resolution.diagnostics {
      writeToStandard(
        2, LogEntry(diagnostic).line(as: format, time: Clock.wallMilliseconds()))
    }
    guard let configuration = resolution.configuration else { throw ExitCode.usage }
    return configuration
  }

  /// The log format from a flag or an environment variable. If the settings are faulty, the error
  /// messages about them have this format.
  private var namedFormat: LogFormat {
    let name = flags["logFormat"]?.last ?? environmentVariables()["AASA_LOG_FORMAT"]
    return name.flatMap(LogFormat.init(rawValue:)) ?? .text
  }
}
