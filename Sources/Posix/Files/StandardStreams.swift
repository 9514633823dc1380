internal import LibC

/// Waits for standard input, and appends the available bytes to `bytes`, at most 64 KiB.
///
/// Returns false if the input has ended. Throws the error of `read`.
package func readStandardInput(appendingTo bytes: inout [UInt8]) throws(SystemError) -> Bool {
  let start = bytes.count
  bytes.append(contentsOf: repeatElement(0, count: 65_536))
  let (count, code) = unsafe bytes.withUnsafeMutableBytes { buffer in
    let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
    return retrying { unsafe read(0, rest.baseAddress, rest.count) }
  }
  bytes.removeLast(bytes.count - start - max(count, 0))
  guard code == 0 else { throw SystemError("read", "standard input", code: code) }
  return count > 0
}

/// Writes all bytes to the standard output stream.
package func writeToStandardOutput(_ bytes: [UInt8]) throws(SystemError) {
  try writeAll(bytes, to: STDOUT_FILENO, "standard output")
}

/// Whether the standard error stream is a terminal.
package var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

/// Whether the standard output stream is a terminal.
package var standardOutputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

/// Returns whether a line can be written to standard output without blocking. A ready pipe has room
/// for at least 4,096 bytes (poll(2), pipe(7)).
///
/// - Parameter milliseconds: The maximum time to wait until standard output is ready.
package func standardOutputIsReady(within milliseconds: Int32) -> Bool {
  var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
  // Treat an error as ready, because the write then reports that the reader has disconnected.
  return unsafe poll(&entry, 1, milliseconds) != 0
}

/// The width of the terminal in columns. Uses standard output if that stream is a terminal, and
/// otherwise standard error. Nil if neither stream is a terminal.
package func terminalWidth() -> Int? {
  for stream in [STDOUT_FILENO, STDERR_FILENO] {
    var size = winsize()
    if unsafe ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
  }
  return nil
}
