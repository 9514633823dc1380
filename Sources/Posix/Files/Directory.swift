internal import LibC

/// An open directory, in which names can be looked up. The path of the directory is resolved only
/// once for all lookups (openat(2)).
package struct Directory: ~Copyable {
  private let descriptor: FileDescriptor

  /// Opens a directory, and follows symbolic links. Does not need permission to list the directory.
  ///
  /// Throws the error of `open`; ENOTDIR if the path is not a directory.
  package init(_ path: String) throws(SystemError) {
    descriptor = try .opened(path, Self.flags)
  }

  /// Opens a directory below another directory, and follows symbolic links.
  package init(_ name: String, in parent: borrowing Directory) throws(SystemError) {
    descriptor = try parent.opened(name, Self.flags)
  }

  /// Opens the file or directory with this name in the directory.
  private func opened(_ name: String, _ flags: Int32) throws(SystemError) -> FileDescriptor {
    let directory = descriptor.rawValue
    let (number, code) = unsafe name.withCString { name in
      asking { unsafe openat(directory, name, flags) }
    }
    guard code == 0 else { throw SystemError("openat", name, code: code) }
    return FileDescriptor(owning: number)
  }

  /// The status of the directory itself.
  package func status() throws(SystemError) -> FileStatus { try descriptor.status("") }

  /// Returns the status of a directory below this one, and the names in it. The names are in no
  /// particular order, and omit `.` and `..`.
  package func list(_ name: String) throws(SystemError) -> (status: FileStatus, names: [String]) {
    let folder = try opened(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    // Take the status before the listing. If the folder changes during the listing, its next status
    // is different, so the caller notices the change.
    let status = try folder.status("")
    return (status, try entries(of: folder, name).map(\.name))
  }

  /// What exists under a name in a directory. One system call finds this out, so the cases
  /// distinguish only symbolic links from all other objects.
  package enum Found: Sendable, Equatable {
    case nothing
    /// A symbolic link with this target.
    case link(String)
    /// An object that is not a symbolic link, such as a file or a folder.
    case other
    /// Unknown, for example because a directory on the path cannot be searched.
    case unknown
  }

  package func find(_ name: String) -> Found {
    let directory = descriptor.rawValue
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      guard let start = buffer.baseAddress else { return .other }
      let (count, code) = unsafe name.withCString { name in
        asking { unsafe readlinkat(directory, name, start, buffer.count) }
      }
      // A name that is too long cannot exist.
      if code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG { return .nothing }
      if code == EINVAL { return .other }
      guard code == 0, count < buffer.count else { return .unknown }
      return .link(
        unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self))
    }
  }

  /// The status of the object with this name, or of the target if the object is a symbolic link.
  package func status(_ name: String) throws(SystemError) -> FileStatus {
    var result = stat()
    let directory = descriptor.rawValue
    let (_, code) = unsafe name.withCString { name in
      asking { unsafe fstatat(directory, name, &result, 0) }
    }
    guard code == 0 else { throw SystemError("fstatat", name, code: code) }
    return FileStatus(result)
  }

  /// Reads a file like `readContent(_:limit:)`. `name` may also be a path below the directory.
  package func readContent(_ name: String, limit: Int) throws(SystemError) -> FileContent {
    let directory = descriptor.rawValue
    return try Posix.readContent(name, "openat", limit: limit) {
      unsafe openat(directory, name, $0)
    }
  }

  #if os(Linux)
    /// O_PATH opens the directory for name lookups only (open(2)). Swift cannot import this
    /// constant from the C library, so the number is copied from Linux's generic headers.
    private static let flags = O_DIRECTORY | O_CLOEXEC | 0o10_000_000
  #else
    /// O_SEARCH, which opens the directory for name lookups only.
    private static let flags = O_DIRECTORY | O_CLOEXEC | 0x4000_0000
  #endif
}
