internal import AppFiles
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics
internal import Posix
internal import TLS

/// Reads the first `limit` + 1 bytes of a file, or of standard input if the path is `-`. The
/// additional byte shows that the input is longer than the limit.
func readInput(_ path: String, limit: Int) throws(SystemError) -> SourceText {
  guard path == "-" else {
    return SourceText(path: path, bytes: try readNamedInput(path, limit: limit).bytes)
  }
  var bytes: [UInt8] = []
  while bytes.count <= limit, try readStandardInput(appendingTo: &bytes) {}
  return SourceText(path: inputName(path), bytes: bytes)
}

/// Reads up to `limit` + 1 bytes of an input. If reading fails, prints the reason and throws the
/// exit code.
func readInput(_ path: String, limit: Int, orFailWith code: ExitCode) throws -> SourceText {
  try mapping(readInput(path, limit: limit)) { (error: SystemError) in
    failure(unreadable(path, error), code)
  }
}

/// Reads the certificates in a PEM file. If the certificates cannot be used, prints the reason and
/// throws the exit code.
func readTrustStore(_ path: String) throws -> TrustStore {
  let source = try readInput(path, limit: TLSLimits.pemFileBytes, orFailWith: .usage)
  return try mapping(TrustStore.roots(in: source)) { (error: CMSError) in failure(error, .usage) }
}

/// Returns the result of reading from a path. If reading fails, prints the reason and returns nil.
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

/// Returns a message that says why a path cannot be read, and how to fix the fault.
private func unreadable(_ path: String, _ error: SystemError) -> String {
  let help =
    error.isNotFound
    ? (path.contains("://") ? "; this command reads only local files" : "; check the spelling")
    : error.isDirectory ? "; give a file in this folder" : ""
  return "cannot read \(inputName(path)): \(error.reason)\(help)"
}

/// Returns the name of an input for messages: the path, or `standard input`.
func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Returns the result of reading a file that belongs to an app. If the file cannot be used, prints
/// the reason and throws the exit code.
func reading<Value>(
  _ path: String, orFailWith code: ExitCode = .usage,
  _ read: @autoclosure () throws(AppFileFault) -> Value
) throws(ExitCode) -> Value {
  try mapping(read()) { (fault: AppFileFault) in
    if case .system(let error) = fault { return failure(unreadable(path, error), code) }
    return failure(fault.line(path), code)
  }
}

/// Returns the result of parsing an argument. If the argument is invalid, throws an error for wrong
/// usage.
func parsing<Value>(
  _ value: @autoclosure () throws(UsageFault) -> Value
) throws(ValidationError) -> Value {
  try mapping(value()) { (fault: UsageFault) in ValidationError(fault.message) }
}

/// Parses the value of an option that contains the address of a CDN. Returns nil for `none`.
func cdnAddress(_ text: String) throws(ValidationError) -> CDNAddress? {
  if text == "none" { return nil }
  return try parsing(CDNAddress(text))
}

/// Parses the value of an option with the address of an asset links service. Returns nil for
/// `none`.
func googleService(_ text: String) throws(ValidationError) -> HostTarget? {
  if text == "none" { return nil }
  return try parsing(HostTarget(text))
}
