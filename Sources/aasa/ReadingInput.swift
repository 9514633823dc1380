internal import AppFiles
internal import ArgumentParser
internal import Bytes
internal import Checking
internal import Diagnostics
internal import Posix
internal import TLS

/// Reads a file named on the command line, or standard input for `-`: its first `limit` + 1 bytes,
/// so that a longer one is noticed.
func readInput(_ path: String, limit: Int) throws(SystemError) -> SourceText {
  guard path == "-" else {
    return SourceText(path: path, bytes: try readNamedInput(path, limit: limit).bytes)
  }
  var bytes: [UInt8] = []
  while bytes.count <= limit, try readStandardInput(appendingTo: &bytes) {}
  return SourceText(path: inputName(path), bytes: bytes)
}

/// Reads like `readInput`. If that fails, the reason is printed and the command ends.
func readInput(_ path: String, limit: Int, orFailWith code: ExitCode) throws -> SourceText {
  try mapping(readInput(path, limit: limit)) { (error: SystemError) in
    failure("cannot read \(path): \(error.reason)", code)
  }
}

/// The certificates of the PEM file in an option. If they cannot be used, the reason is printed and
/// the command ends.
func readTrustStore(_ path: String) throws -> TrustStore {
  let source = try readInput(path, limit: TLSLimits.pemFileBytes, orFailWith: .usage)
  return try mapping(TrustStore.roots(in: source)) { (error: CMSError) in failure(error, .usage) }
}

/// Returns what is read from a path. If that fails, the reason is printed, and the result is nil.
func readOrReport<Value>(
  _ path: String, _ read: @autoclosure () throws(SystemError) -> Value
) -> Value? {
  do throws(SystemError) {
    return try read()
  } catch {
    printError("error: cannot read \(inputName(path)): \(error.reason)")
    return nil
  }
}

/// The name of an input in messages.
func inputName(_ path: String) -> String { path == "-" ? "standard input" : path }

/// Returns what an app's file says. If it cannot be used, the reason is printed and the command
/// ends.
func reading<Value>(
  _ path: String, orFailWith code: ExitCode = .usage,
  _ read: @autoclosure () throws(AppFileFault) -> Value
) throws(ExitCode) -> Value {
  try mapping(read()) { (fault: AppFileFault) in failure(fault.line(path), code) }
}

/// Parses an argument. An argument that names nothing to check is wrong usage.
func parsing<Value>(
  _ value: @autoclosure () throws(UsageFault) -> Value
) throws(ValidationError) -> Value {
  try mapping(value()) { (fault: UsageFault) in ValidationError(fault.message) }
}

/// The CDN in an option's value; nil for `none`.
func cdnAddress(_ text: String) throws(ValidationError) -> CDNAddress? {
  if text == "none" { return nil }
  return try parsing(CDNAddress(text))
}
