#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// An open directory in which names are looked up: the way to it is walked once, however many names
/// are asked for (openat(2)).
package struct Directory: ~Copyable {
  private let descriptor: FileDescriptor

  /// Opens a directory, links followed. Needs no permission to list it.
  ///
  /// Throws what `open` refuses; ENOTDIR when it is something else.
  package init(_ path: String) throws(SystemError) {
    let (number, code) = retrying { unsafe open(path, Self.flags) }
    guard code == 0 else { throw SystemError("open", path, code: code) }
    descriptor = FileDescriptor(owning: number)
  }

  /// What stands at a name, found with one call.
  package enum Found: Sendable, Equatable {
    case nothing
    /// A symbolic link that says this.
    case link(String)
    /// Something else.
    case other
    /// The system does not say: the way to it is closed, for example.
    case unknown
  }

  package func find(_ name: String) -> Found {
    let directory = descriptor.rawValue
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
      guard let start = buffer.baseAddress else { return .other }
      let (count, code) = unsafe name.withCString { name in
        retrying { unsafe readlinkat(directory, name, start, buffer.count) }
      }
      if code == ENOENT || code == ENOTDIR { return .nothing }
      if code == EINVAL { return .other }
      guard code == 0, count < buffer.count else { return .unknown }
      return .link(
        unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self))
    }
  }

  /// The status of what a name leads to, links followed.
  package func status(_ name: String) throws(SystemError) -> FileStatus {
    var result = stat()
    let directory = descriptor.rawValue
    let (_, code) = unsafe name.withCString { name in
      retrying { unsafe fstatat(directory, name, &result, 0) }
    }
    guard code == 0 else { throw SystemError("fstatat", name, code: code) }
    return FileStatus(result)
  }

  /// Reads as `readContent(_:limit:)` does; `name` may be a path below the directory.
  package func readContent(_ name: String, limit: Int) throws(SystemError) -> FileContent {
    let directory = descriptor.rawValue
    let (number, code) = unsafe name.withCString { name in
      retrying { unsafe openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    }
    guard code == 0 else { throw SystemError("openat", name, code: code) }
    return try read(FileDescriptor(owning: number), name, limit: limit)
  }

  #if os(Linux)
    /// O_PATH, which the module map hides: only to look up names, which is what it takes to walk a
    /// path too (open(2)). The number is that of Linux's generic headers.
    private static let flags = O_DIRECTORY | O_CLOEXEC | 0o10_000_000
  #else
    /// O_SEARCH.
    private static let flags = O_DIRECTORY | O_CLOEXEC | 0x4000_0000
  #endif
}
