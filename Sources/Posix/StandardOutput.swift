#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes all bytes to the standard output stream.
package func writeToStandardOutput(_ bytes: [UInt8]) throws(SystemError) {
  try writeAll(bytes, to: STDOUT_FILENO, "standard output")
}

/// Whether the standard error stream is a terminal.
package var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

/// Whether the standard output stream is a terminal.
package var standardOutputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
