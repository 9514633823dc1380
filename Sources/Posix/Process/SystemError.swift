internal import LibC

/// A failed system call: its name, its object and its errno.
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The name of the call in its manual, for example `bind`.
  package let call: String
  /// The object of the call, for example a path or an address; empty if it has no name.
  package let subject: String
  /// The value of errno.
  package let code: Int32

  package init(_ call: String, _ subject: String = "", code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// The error for a name that now points to a different object.
  package static func stale(_ call: String, _ subject: String) -> SystemError {
    SystemError(call, subject, code: ESTALE)
  }

  /// The error for a read that stopped before the file's end.
  package static func cut(_ subject: String) -> SystemError {
    SystemError("read", subject, code: ENODATA)
  }

  /// The error in words, such as `bind [::]:443: Permission denied`.
  package var description: String {
    (subject.isEmpty ? call : "\(call) \(subject)") + ": " + reason
  }

  /// The system's text for `code`, or a clearer text if the system's text would not help.
  package var reason: String {
    // `readContent` throws this error for pipes, sockets and devices.
    if call == "read" && code == EINVAL { return "Not a regular file" }
    if call == "read" && code == ENODATA { return "The end of the file is missing" }
    // `readNamedInput` throws this error. The call read(2) itself never returns EPIPE.
    if call == "read" && code == EPIPE { return "No program writes into the pipe" }
    // strerror is thread-safe here: glibc (since 2.32) and Darwin keep the text of unknown codes
    // per thread.
    return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
  package var isAddressInUse: Bool { code == EADDRINUSE }
  /// Whether this machine lacks the requested address, or the whole address family.
  package var isNoSuchAddress: Bool { code == EADDRNOTAVAIL || code == EAFNOSUPPORT }
  /// Whether the name does not exist. A name that is too long cannot exist.
  package var isNotFound: Bool { [ENOENT, ENOTDIR, ENAMETOOLONG].contains(code) }
  /// Whether there is no route to an address, or no answer from it.
  package var isUnreachable: Bool {
    [ETIMEDOUT, ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL, EAFNOSUPPORT].contains(code)
  }
  package var isLinkLoop: Bool { code == ELOOP }
  package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
  package var isDirectory: Bool { code == EISDIR }
  /// Whether the path points to a folder, pipe, socket or device instead of a regular file.
  package var isNotRegularFile: Bool { code == EISDIR || call == "read" && code == EINVAL }
  package var isExisting: Bool { code == EEXIST }
  /// Whether a named pipe was opened for writing without a reader.
  package var isPipeWithoutReader: Bool {
    ["open", "openat"].contains(call) && code == ENXIO
  }
  package var isTooLarge: Bool { code == EFBIG }
  package var isOutOfSpace: Bool { code == ENOSPC || code == EDQUOT }
}
