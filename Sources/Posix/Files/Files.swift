internal import LibC

/// The kind of object at a path.
package enum FileKind: Sendable {
  case regular, directory, symbolicLink, other
}

/// The fields of a file's status (stat(2)) that show whether the file was replaced or changed since
/// an earlier call.
package struct FileStatus: Hashable, Sendable {
  package let kind: FileKind
  /// Permission bits, for example `0o640`.
  package let mode: UInt32
  package let device: UInt64
  package let inode: UInt64
  /// The size in bytes.
  package let size: Int64
  /// The time of the last change of the content, in nanoseconds since 1970.
  let modified: Int64
  /// The time of the last change of the inode, in nanoseconds since 1970. Unlike `modified`, no
  /// program can set this time.
  package let changed: Int64

  package var modifiedSeconds: Int64 { modified / 1_000_000_000 }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .regular
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    mode = UInt32(status.st_mode & 0o7777)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    #if canImport(Darwin)
      modified = nanoseconds(status.st_mtimespec)
      changed = nanoseconds(status.st_ctimespec)
    #else
      modified = nanoseconds(status.st_mtim)
      changed = nanoseconds(status.st_ctim)
    #endif
  }
}

private func nanoseconds(_ time: timespec) -> Int64 {
  // A program can set a file's time to a year so far away that its nanoseconds do not fit into 64
  // bits. For such a time, use the nearest number that fits.
  let (seconds, isTooFar) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, overflows) = seconds.addingReportingOverflow(Int64(time.tv_nsec))
  return isTooFar || overflows ? (time.tv_sec < 0 ? .min : .max) : sum
}

/// The status of the object at `path`, or of the target if the object is a symbolic link.
package func status(_ path: String) throws(SystemError) -> FileStatus {
  var result = stat()
  let (_, code) = asking { unsafe stat(path, &result) }
  guard code == 0 else { throw SystemError("stat", path, code: code) }
  return FileStatus(result)
}

/// Whether nothing exists at `path`. If the system call fails for any other reason, the result is
/// false.
package func isMissing(_ path: String, followingLinks: Bool = true) -> Bool {
  do throws(SystemError) {
    _ = try followingLinks ? status(path) : linkStatus(path)
    return false
  } catch {
    return error.isNotFound
  }
}

/// The status of `path` itself, even if it is a symbolic link.
package func linkStatus(_ path: String) throws(SystemError) -> FileStatus {
  var result = stat()
  let (_, code) = asking { unsafe lstat(path, &result) }
  guard code == 0 else { throw SystemError("lstat", path, code: code) }
  return FileStatus(result)
}

/// A file's bytes, and its status at the time of the read.
package struct FileContent: Sendable {
  package var bytes: [UInt8]
  package let status: FileStatus
  /// Whether the file is longer than the limit. If so, `bytes` is one byte longer than the limit.
  package let isTruncated: Bool
  /// Whether the file changed during the read.
  package let hasChanged: Bool
  /// Whether the read stopped before the end of the file, for example because a network share lost
  /// its server.
  package var isCut = false
  /// Whether the path may be a symbolic link. If false, the file was opened without following a
  /// link.
  package var isLink = true
}

/// Reads a regular file, or the target of a symbolic link. Reads at most `limit` + 1 bytes.
///
/// Opens the file without blocking, so that a named pipe in a folder cannot make the reader hang.
/// Throws the error of `open`, `fstat` or `read`; EISDIR or EINVAL if the file is not a regular
/// file.
package func readContent(_ path: String, limit: Int) throws(SystemError) -> FileContent {
  try readContent(path, "open", limit: limit) { unsafe open(path, $0) }
}

/// - Parameter open: Opens the file with the given flags, and returns the result of open(2).
func readContent(
  _ path: String, _ call: String, limit: Int, _ open: (Int32) -> Int32
) throws(SystemError) -> FileContent {
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
  var (number, code) = asking { open(flags | O_NOFOLLOW) }
  // With O_NOFOLLOW, the system refuses to open a link, but the errno differs between systems. So
  // after any error except ENOENT, try again without O_NOFOLLOW.
  let isLink = code != 0 && code != ENOENT
  if isLink { (number, code) = asking { open(flags) } }
  // Linux returns ENXIO if the file is a socket.
  if code == ENXIO { throw SystemError("read", path, code: EINVAL) }
  guard code == 0 else { throw SystemError(call, path, code: code) }
  var content = try read(FileDescriptor(owning: number), path, limit: limit)
  content.isLink = isLink
  return content
}

/// Reads an open regular file from its beginning, at most `limit` + 1 bytes. Closes the file.
func read(
  _ descriptor: consuming FileDescriptor, _ path: String, limit: Int
) throws(SystemError) -> FileContent {
  let found = try descriptor.status(path)
  guard found.kind == .regular else {
    throw SystemError("read", path, code: found.kind == .directory ? EISDIR : EINVAL)
  }
  // Request one byte more than the file's size, so that no second read is needed to detect the end
  // of the file.
  let expected = min(Int(found.size), limit) + 1
  var bytes = [UInt8](repeating: 0, count: expected)
  var count = 0
  while count <= limit {
    // If the file is larger than its status said, make the buffer larger. The kernel's own files,
    // such as those in `/proc`, always report the size 0.
    if count == bytes.count {
      let more = min(max(bytes.count, 4_096), limit + 1 - count)
      bytes.append(contentsOf: [UInt8](repeating: 0, count: more))
    }
    let capacity = bytes.count
    let number = descriptor.rawValue
    let (got, code) = unsafe bytes.withUnsafeMutableBytes { buffer in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count..<capacity])
      return asking { unsafe read(number, rest.baseAddress, rest.count) }
    }
    guard code == 0 else { throw SystemError("read", path, code: code) }
    count += got
    // The file has ended if a read returns exactly the file's size although one more byte was
    // requested.
    if got == 0 || count == found.size && got < capacity - (count - got) { break }
  }
  bytes.removeLast(bytes.count - count)
  let isSame = (try? descriptor.status(path)) == found
  return FileContent(
    bytes: bytes, status: found, isTruncated: count > limit, hasChanged: !isSame,
    isCut: count < min(Int(found.size), limit + 1))
}

/// Reads a whole regular file of at most `limit` bytes. Throws EFBIG if the file is longer.
package func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
  let content = try readContent(path, limit: limit)
  guard !content.isTruncated else { throw SystemError("read", path, code: EFBIG) }
  return content.bytes
}

/// A name in a directory, with its type.
package struct DirectoryEntry: Sendable, Equatable {
  package let name: String
  /// Whether the name belongs to a directory. Nil if the name belongs to a symbolic link, or if the
  /// file system does not report the type. If nil, call `status` to find out.
  package let isDirectory: Bool?
}

extension DirectoryEntry {
  /// - Parameter type: The number of the type that the system reports with the name (readdir(3)).
  init(name: String, type: Int) {
    self.name = name
    let isKnown = type != Int(DT_UNKNOWN) && type != Int(DT_LNK)
    isDirectory = isKnown ? type == Int(DT_DIR) : nil
  }
}

/// The entries of a directory in no particular order, without `.` and `..`.
package func listEntries(_ path: String) throws(SystemError) -> [DirectoryEntry] {
  try entries(of: FileDescriptor.opened(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), path)
}

/// The names in a directory in no particular order, without `.` and `..`.
package func listDirectory(_ path: String) throws(SystemError) -> [String] {
  try listEntries(path).map(\.name)
}

/// The target of a symbolic link; nil if `path` is not a link.
package func readLink(_ path: String) -> String? {
  if case .link(let target) = find(path) { target } else { nil }
}

/// Returns what is at `path`, without following a symbolic link. Uses only one system call, and
/// also returns `nothing` if the path cannot be reached.
package func find(_ path: String) -> Directory.Found {
  unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
    guard let start = buffer.baseAddress else { return .nothing }
    let (count, code) = unsafe path.withCString { path in
      asking { unsafe readlink(path, start, buffer.count) }
    }
    // EINVAL means that `path` is not a symbolic link.
    if code != 0 { return code == EINVAL ? .other : .nothing }
    return unsafe .link(
      String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self))
  }
}

/// Returns a folder's path without trailing slashes, for example `domains` for `domains/`. Messages
/// show this path, and names are appended to it.
package func withoutTrailingSlashes(_ path: String) -> String {
  var path = path[...]
  while path.count > 1, path.last == "/" { path.removeLast() }
  return String(path)
}

/// Returns the absolute path of the object at `path`, with all symbolic links resolved.
package func resolvedPath(_ path: String) throws(SystemError) -> String {
  guard let resolved = unsafe FileCalls.during({ unsafe realpath(path, nil) }) else {
    throw SystemError("realpath", path, code: errno)
  }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// Returns the path from the root without resolving symbolic links, for example `/srv/state` for
/// `state` in `/srv`.
package func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let folder = try? resolvedPath(".") else { return path }
  return folder == "/" ? "/" + path : "\(folder)/\(path)"
}

/// Makes a folder and its missing parents. Leaves existing folders unchanged.
package func makeFolders(_ path: String) throws(SystemError) {
  var made = path.hasPrefix("/") ? "/" : ""
  for name in path.split(separator: "/") {
    made += (made.isEmpty || made == "/" ? "" : "/") + name
    let (_, code) = retrying { unsafe mkdir(made, 0o777) }
    if code == 0 { continue }
    if (try? status(made))?.kind == .directory { continue }
    throw SystemError("mkdir", made, code: code)
  }
}
