internal import ArgumentParser
internal import Diagnostics
internal import Hosting
internal import Posix

extension ServerOptions {
  /// The configuration in force. What is wrong goes to the standard error stream, one line each;
  /// with an error among it, throws the exit code.
  ///
  /// - Parameter isForServer: what is only warned of is told as the server's log tells it.
  func resolve(isForServer: Bool = false) throws -> Configuration {
    let resolution = resolution()
    let format = isForServer ? resolution.configuration?.logFormat ?? .text : .text
    for diagnostic in resolution.diagnostics {
      writeToStandard(
        2, LogEntry(diagnostic).line(as: format, time: Clock.wallMilliseconds()))
    }
    guard let configuration = resolution.configuration else { throw ExitCode.usage }
    return configuration
  }

  /// - Parameter file: the server.json to read when neither flags nor environment name one.
  func resolution(file: String? = nil) -> Resolution {
    Configuration.resolve(flags: flags, environment: environmentVariables(), file: file) {
      (path: String) throws(SystemError) -> [UInt8] in
      try readFile(path, limit: Configuration.largestFile)
    }
  }
}
