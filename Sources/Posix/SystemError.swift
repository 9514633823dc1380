#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The system refused a call: which call, on what, and why (errno).
package struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The call as the manual names it, for example `bind`.
  package let call: String
  /// What it was called on, for example a path or an address; empty when nothing names it.
  package let subject: String
  /// The value of errno.
  package let code: Int32

  package init(_ call: String, _ subject: String = "", code: Int32) {
    self.call = call
    self.subject = subject
    self.code = code
  }

  /// `bind [::]:443: Permission denied`
  package var description: String {
    (subject.isEmpty ? call : "\(call) \(subject)") + ": " + reason
  }

  /// The system's own words for `code`, but for those that would not help.
  package var reason: String {
    // What `readContent` says of pipes, sockets and devices.
    if call == "read" && code == EINVAL { return "Not a regular file" }
    // What `readNamedInput` says; the call itself never says so.
    if call == "read" && code == EPIPE { return "No program writes into the pipe" }
    // Thread-safe: glibc (since 2.32) and Darwin keep the text of unknown codes per thread.
    return unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
  }

  package var isPermissionDenied: Bool { code == EACCES || code == EPERM }
  package var isAddressInUse: Bool { code == EADDRINUSE }
  /// This machine does not have the address, or not even its family.
  package var isNoSuchAddress: Bool { code == EADDRNOTAVAIL || code == EAFNOSUPPORT }
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }
  package var isLinkLoop: Bool { code == ELOOP }
  package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }
  /// A folder, a pipe, a socket or a device where a file was expected.
  package var isNotRegularFile: Bool { code == EISDIR || call == "read" && code == EINVAL }
  package var isExisting: Bool { code == EEXIST }
  /// A named pipe was opened for writing, and no program reads it.
  package var isPipeWithoutReader: Bool { call == "open" && code == ENXIO }
  package var isTooLarge: Bool { code == EFBIG }
  package var isOutOfSpace: Bool { code == ENOSPC }
}
