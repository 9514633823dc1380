internal import ArgumentParser
internal import Diagnostics
internal import Hosting
internal import Posix

extension ServerOptions {
  /// The largest server.json that is read, in bytes. Ten thousand aliases take about half.
  static var largestFile: Int { 1_048_576 }

  /// The configuration in force. What is wrong goes to the standard error stream, one line each;
  /// with an error among it, throws the exit code.
  func resolve() throws -> Configuration {
    let resolution = Configuration.resolve(flags: flags, environment: environmentVariables()) {
      (path: String) throws(SystemError) -> [UInt8] in
      try readFile(path, limit: Self.largestFile)
    }
    for diagnostic in resolution.diagnostics { printError(diagnostic.line) }
    guard let configuration = resolution.configuration else { throw ExitCode.usage }
    return configuration
  }
}
