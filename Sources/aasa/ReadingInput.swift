internal import AppFiles
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics
internal import Posix
internal import TLS

/// Reads the first `limit` + 1 bytes of a file from the command line, or of standard input for `-`.
/// The additional byte shows that the file is longer than the limit.
func readInput(_ path: String, limit: Int) throws(SystemError) -> SourceText {
  guard path == "-" else {
    return SourceText(path: path, bytes: try readNamedInput(path, limit: limit).bytes)
  }
  var bytes: [UInt8] = []
  while bytes.count <= limit, try readStandardInput(appendingTo: &bytes) {}
  return SourceText(path: inputName(path), bytes: bytes)
}

/// Reads like `readInput`. If that fails, prints the reason and ends the command.
func readInput(_ path: String, limit: Int, orFailWith code: ExitCode) throws -> SourceText {
  try mapping(readInput(path, limit: limit)) { (error: SystemError) in
    failure(unreadable(path, error), code)
  }
}

/// Reads the certificates in the PEM file of an option. If they cannot be used, prints the reason
/// and ends the command.
func readTrustStore(_ path: String) throws -> TrustStore {
  let source = try readInput(path, limit: TLSLimits.pemFileBytes, orFailWith: .usage)
  return try mapping(TrustStore.roots(in: source)) { (error: CMSError) in failure(error, .usage) }
}

/// Reads from a path. If that fails, prints the reason and returns nil.
func readOrReport<Value>(
  _ path: String, _ read: @autoclosure () throws(SystemError) -> Value
) -> Value? {
  do throws(SystemError) {
    return try read()
  } catch {
    printError("error: " + unreadable(path, error))
    return nil
  }
}

/// Returns why a path from the command line cannot be read, and what to do.
private func unreadable(_ path: String, _ error: SystemError) -> String {
  let help =
    error.isNotFound
    ? (path.contains("://") ? "; this command reads files" : "; check the spelling")
    : error.isDirectory ? "; give a file in it" : ""
  return "cannot read \(inputName(path)): \(error.reason)\(help)"
}

/// Returns the name of an input for messages.
func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Reads an app's file. If it cannot be used, prints the reason and ends the command.
func reading<Value>(
  _ path: String, orFailWith code: ExitCode = .usage,
  _ read: @autoclosure () throws(AppFileFault) -> Value
) throws(ExitCode) -> Value {
  try mapping(read()) { (fault: AppFileFault) in
    if case .system(let error) = fault { return failure(unreadable(path, error), code) }
    return failure(fault.line(path), code)
  }
}

/// Parses an argument. An argument without a valid subject counts as wrong usage.
func parsing<Value>(
  _ value: @autoclosure () throws(UsageFault) -> Value
) throws(ValidationError) -> Value {
  try mapping(value()) { (fault: UsageFault) in ValidationError(fault.message) }
}

/// Returns the CDN in the value of an option; nil for `none`.
func cdnAddress(_ text: String) throws(ValidationError) -> CDNAddress? {
  if text == "none" { return nil }
  return try parsing(CDNAddress(text))
}
