#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Where the lines of a log go: a file that grows, or the standard output stream.
package struct LogDestination: ~Copyable, Sendable {
  /// Nil for the standard output stream, which is not ours to close.
  private let file: FileDescriptor?
  private let number: Int32

  /// So many bytes at most are written to a stream at once: then nobody else's lines come between
  /// (PIPE_BUF of pipe(7)).
  private static let streamBytes = 4096

  /// The standard output stream.
  package init() {
    file = nil
    number = STDOUT_FILENO
  }

  /// A file, made when there is none; its directory must be there. A named pipe needs a reader.
  ///
  /// Throws what `open` refuses.
  package init(path: String) throws(SystemError) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let (number, code) = retrying { unsafe open(path, flags, 0o640) }
    guard code == 0 else { throw SystemError("open", path, code: code) }
    file = FileDescriptor(owning: number)
    self.number = number
  }

  /// Writes whole lines, and waits for whoever reads them. On a stream that others write to as well
  /// nobody's lines come between those of one piece.
  ///
  /// - Returns: how many bytes were written, and why not all of them when it was not all.
  package func write(_ lines: [UInt8]) -> (count: Int, error: SystemError?) {
    var start = 0
    while start < lines.count {
      let end = file == nil ? Self.endOfPiece(lines, from: start) : lines.count
      let (count, error) = write(lines, from: start, to: end)
      if let error { return (start + count, error) }
      start = end
    }
    return (start, nil)
  }

  /// Where the last whole line ends that can be written together with what stands at `start`.
  private static func endOfPiece(_ lines: [UInt8], from start: Int) -> Int {
    let limit = min(start + streamBytes, lines.count)
    var end = limit
    while end > start && lines[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    // A longer line is written with others' in it at worst.
    return end > start ? end : limit
  }

  private func write(
    _ bytes: [UInt8], from start: Int, to end: Int
  ) -> (count: Int, error: SystemError?) {
    var position = start
    while position < end {
      let (count, code) = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position..<end])
        return retrying { unsafe Posix.writeBytes(number, rest.baseAddress, rest.count) }
      }
      if code == 0 {
        position += count
      } else if code == EAGAIN || code == EWOULDBLOCK {
        var watched = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&watched, 1, -1)
      } else {
        return (position - start, SystemError("write", code: code))
      }
    }
    return (position - start, nil)
  }
}

private func writeBytes(_ number: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(number, bytes, count)
}
