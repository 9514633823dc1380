internal import ArgumentParser
internal import Diagnostics
internal import Posix
internal import Reporting
internal import TLS

/// Writes one line to the standard error stream. Ignores failures, because there is no other place
/// to report them.
func printError(_ line: String) {
  let text = escapingInvisible(line)
  writeToStandard(2, (ReportStyle.ofErrors?.styled(text) ?? text) + "\n")
}

/// Prints an error. Returns the exit code, so that the caller can throw it.
func failure(_ message: String, _ code: ExitCode = .found) -> ExitCode {
  printError("error: " + message)
  return code
}

/// Prints why a certificate or a signed file cannot be used. Returns the exit code, so that the
/// caller can throw it.
func failure(_ error: CMSError, _ code: ExitCode = .found) -> ExitCode {
  guard case .file(let fault) = error else { return failure(error.description, code) }
  printError(fault.diagnostic.line)
  return code
}
