internal import LibC

/// The destination of a log's lines: a file to append to, or the standard output stream.
package struct LogDestination: ~Copyable, Sendable {
  /// The open file; nil if the destination is the standard output stream, which must not be closed.
  private let file: FileDescriptor?
  private let number: Int32

  /// The maximum number of bytes in one write to a stream. Up to this size, other processes cannot
  /// write into the middle of our lines (PIPE_BUF of pipe(7)).
  private static let streamBytes = 4096

  /// Makes the destination that is the standard output stream.
  package init() {
    file = nil
    number = STDOUT_FILENO
  }

  /// Opens a file, and creates it if it does not exist. The folder of the file must exist. If the
  /// file is a named pipe, a reader must have opened it.
  ///
  /// Throws the error of `open`.
  package init(path: String) throws(SystemError) {
    let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    let descriptor = try FileDescriptor.opened(path, flags, mode: 0o640)
    number = descriptor.rawValue
    file = consume descriptor
  }

  /// Checks that `init(path:)` can open the file, without creating it. Does not check whether a
  /// named pipe has a reader.
  ///
  /// Throws the error that `open` would return.
  package static func check(path: String) throws(SystemError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      if FileStatus(status).kind == .directory { throw SystemError("open", path, code: EISDIR) }
      if unsafe access(path, W_OK) != 0 { throw SystemError("open", path, code: errno) }
    } else {
      guard errno == ENOENT else { throw SystemError("open", path, code: errno) }
      guard unsafe access(parentFolder(path), W_OK | X_OK) == 0 else {
        throw SystemError("open", path, code: errno)
      }
    }
  }

  /// Writes whole lines, and waits until the reader accepts them. On a shared stream, lines of
  /// other processes may appear between two writes, but not within a write.
  ///
  /// - Returns: The number of bytes written. If some bytes were not written, also the error.
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

  /// Returns the end of the last whole line that fits into one write that begins at `start`.
  private static func endOfPiece(_ lines: [UInt8], from start: Int) -> Int {
    let limit = min(start + streamBytes, lines.count)
    var end = limit
    while end > start && lines[end - 1] != UInt8(ascii: "\n") { end -= 1 }
    // A line that is longer than one write is split, so lines of other processes may appear within
    // it.
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
