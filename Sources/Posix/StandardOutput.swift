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

/// Whether the standard output stream takes a line without making its writer wait: a pipe takes at
/// least 4,096 bytes then (poll(2), pipe(7)).
///
/// - Parameter milliseconds: for how long that is waited for.
package func standardOutputIsReady(within milliseconds: Int32) -> Bool {
  var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  // A reader that has gone is found out by writing.
  return unsafe poll(&entry, 1, milliseconds) != 0
}

/// The columns of the terminal that is the standard output stream; nil when it is none.
package func terminalWidth() -> Int? {
  var size = winsize()
  guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
    return nil
  }
  return Int(size.ws_col)
}
