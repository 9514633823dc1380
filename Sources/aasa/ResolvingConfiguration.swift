internal import ArgumentParser
internal import Diagnostics
internal import Posix
internal import Settings

extension ServerOptions {
  /// Returns the configuration in force. Writes diagnostics to the standard error stream, one line
  /// each, and throws the exit code if one of them is an error.
  ///
  /// - Parameter isForServer: Whether warnings are written in the format of the server's log.
  func resolve(isForServer: Bool = false) throws -> Configuration {
    let resolution = resolution()
    let format = isForServer ? resolution.configuration?.logFormat ?? namedFormat : .text
    for diagnostic in resolution.diagnostics {
      writeToStandard(
        2, LogEntry(diagnostic).line(as: format, time: Clock.wallMilliseconds()))
    }
    guard let configuration = resolution.configuration else { throw ExitCode.usage }
    return configuration
  }

  /// The log format from a flag or a variable, for use if another setting is faulty.
  private var namedFormat: LogFormat {
    let name = flags["logFormat"]?.last ?? environmentVariables()["AASA_LOG_FORMAT"]
    return name.flatMap(LogFormat.init(rawValue:)) ?? .text
  }

  /// - Parameter file: The server.json to read if neither flags nor environment name one.
  func resolution(file: String? = nil) -> Resolution {
    Configuration.resolve(flags: flags, environment: environmentVariables(), file: file) {
      (path: String) throws(SystemError) -> [UInt8] in
      try readFile(path, limit: Configuration.largestFile)
    }
  }
}
