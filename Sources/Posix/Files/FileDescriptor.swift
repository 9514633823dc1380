internal import LibC

/// An open file, socket, or other kernel object with one owner. When the value is destroyed, the
/// object is closed.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The descriptor's number. Use the number only to call C functions, and never after this value
  /// is destroyed.
  package let rawValue: Int32

  /// Takes ownership of an open descriptor.
  package init(owning rawValue: Int32) {
    precondition(rawValue >= 0)
    self.rawValue = rawValue
  }

  deinit {
    // If close(2) fails with EINTR, Linux has closed the descriptor anyway, and its number may
    // already be in use again. So never close a descriptor twice. Only our own mistake can cause
    // EBADF.
    if closeDescriptor(rawValue) != 0 { precondition(errno != EBADF, "descriptor closed twice") }
  }

  /// Opens a file. If the flags ask to create the file, a new file gets `mode` without the bits of
  /// the umask.
  ///
  /// Throws the error of `open`.
  static func opened(
    _ path: String, _ flags: Int32, mode: mode_t = 0
  ) throws(SystemError) -> FileDescriptor {
    let (number, code) = asking { unsafe open(path, flags, mode) }
    guard code == 0 else { throw SystemError("open", path, code: code) }
    return FileDescriptor(owning: number)
  }

  /// If `fstat` fails, throws an error whose text contains `subject`.
  func status(_ subject: String) throws(SystemError) -> FileStatus {
    var result = stat()
    let (_, code) = asking { unsafe fstat(rawValue, &result) }
    guard code == 0 else { throw SystemError("fstat", subject, code: code) }
    return FileStatus(result)
  }

  /// Opens a spare descriptor. When the process has no descriptor left, it can close the spare one.
  /// Returns nil if no descriptor is available now.
  package static func reserve() -> FileDescriptor? {
    let number = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    return number >= 0 ? FileDescriptor(owning: number) : nil
  }

  /// Gives up the ownership of the descriptor. Returns the descriptor's number, and does not close
  /// the descriptor.
  package consuming func release() -> Int32 {
    let value = rawValue
    discard self
    return value
  }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 {
  FileCalls.during { close(descriptor) }
}

/// The result of one attempt to transfer bytes through a non-blocking descriptor or TLS session.
package enum TransferOutcome: Equatable, Sendable {
  /// The number of bytes transferred; at least 1.
  case moved(Int)
  /// Nothing can be transferred until the descriptor is readable.
  case wantsRead
  /// Nothing can be transferred until the descriptor is writable.
  case wantsWrite
  /// The peer has ended its side properly (end of stream, `close_notify`).
  case ended
  /// The connection is unusable because of a reset or a TLS failure.
  case failed
}

/// Repeats `body` for as long as a signal interrupts it (EINTR).
///
/// Returns the result of `body`, and the errno of the failed call. If the call succeeded, the errno
/// is 0.
func retrying<Result: FixedWidthInteger & SignedInteger>(
  _ body: () -> Result
) -> (result: Result, code: Int32) {
  while true {
    let result = body()
    if result != -1 { return (result, 0) }
    let code = errno
    if code != EINTR { return (result, code) }
  }
}
