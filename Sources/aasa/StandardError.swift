internal import ArgumentParser
internal import Diagnostics
internal import Posix

/// Writes one line to the standard error stream. A failure cannot be reported.
func printError(_ line: String) { writeToStandard(2, escapingControls(line) + "\n") }

/// Prints an error. Returns the exit code to be thrown.
func failure(_ message: String, _ code: ExitCode = .found) -> ExitCode {
  printError("error: " + message)
  return code
}
