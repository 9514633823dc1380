internal import LibC

/// Writes a whole file so that `path` always has either the old or the new content, even after a
/// crash. The content is written to a temporary file in the same folder, which is flushed to disk
/// and then renamed (rename(2)).
///
/// If `path` is a symbolic link, the link stays, and the target of the link is replaced. An
/// existing file keeps its permissions and, as far as permitted, its owner and group. But if `mode`
/// gives no access to others, the file loses its permissions for others. A new file gets `mode`
/// without the bits of the umask. Anything other than a regular file, such as a pipe or a terminal,
/// is written directly.
///
/// - Parameter replacing: Whether to replace an existing file. If false and the file exists, throws
///   EEXIST.
///
/// If the write fails, removes the temporary file and throws the system's error. A temporary file
/// stays only if the process is killed during the write. The name of such a file begins with
/// `.aasa-`.
package func writeFileAtomically(
  _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644, replacing: Bool = true
) throws(SystemError) {
  var status = stat()
  if unsafe stat(path, &status) == 0 {
    let found = FileStatus(status)
    if found.kind == .directory { throw SystemError("open", path, code: EISDIR) }
    if found.kind == .other { return try writeThrough(path, bytes) }
    guard replacing else { throw SystemError("open", path, code: EEXIST) }
    // To replace a file, the system requires write permission only for the folder. This function
    // requires write permission for the file too.
    guard unsafe access(path, W_OK) == 0 else { throw SystemError("open", path, code: errno) }
    try replace(try linkTarget(path), bytes, mode: mode, like: status)
  } else if errno == ENOENT {
    try replace(
      replacing ? try linkTarget(path) : path, bytes, mode: mode, like: nil,
      onlyIfAbsent: !replacing)
  } else {
    throw SystemError("stat", path, code: errno)
  }
}

/// - Parameter old: The status of the file to be replaced; nil if no file exists at `path`.
private func replace(
  _ path: String, _ bytes: [UInt8], mode: UInt32, like old: stat?, onlyIfAbsent: Bool = false
) throws(SystemError) {
  let folder = parentFolder(path)
  let temporary = try TemporaryFile(in: folder, for: path, mode: mode)
  var isDone = false
  defer { if !isDone { unsafe unlink(temporary.path) } }
  let descriptor = temporary.descriptor.rawValue

  try writeAll(bytes, to: descriptor, path)
  if let old {
    // Set the owner before the permissions, because a change of the owner clears set-user-ID bits.
    _ = fchown(descriptor, old.st_uid, old.st_gid)
    let withheld: mode_t = mode & 0o007 == 0 ? 0o007 : 0
    guard fchmod(descriptor, old.st_mode & 0o7777 & ~withheld) == 0 else {
      throw SystemError("fchmod", path, code: errno)
    }
  }
  let (_, syncCode) = retrying { fsync(descriptor) }
  guard syncCode == 0 else { throw SystemError("fsync", path, code: syncCode) }

  if onlyIfAbsent {
    // If a file with this name exists, link(2) fails, but rename(2) would replace the file.
    // Therefore, use rename(2) only on a file system without hard links. There, rely on the earlier
    // check that no file with this name exists.
    if unsafe link(temporary.path, path) == 0 {
      unsafe unlink(temporary.path)
      isDone = true
    } else if ![EPERM, ENOTSUP, EOPNOTSUPP].contains(errno) {
      throw SystemError("link", path, code: errno)
    }
  }
  if !isDone {
    guard unsafe rename(temporary.path, path) == 0 else {
      throw SystemError("rename", path, code: errno)
    }
  }
  isDone = true
  flushFolder(folder)
}

/// Writes a file for another program into a folder of that program. The content is written to a
/// temporary file, which then replaces any file or link with the final name (rename(2)).
///
/// The file gets the owner of the folder. If this process may not change the owner, everybody may
/// read the file.
package func leaveFile(_ name: String, in folder: String, _ bytes: [UInt8]) throws(SystemError) {
  let path = "\(folder)/\(name)"
  var owner = stat()
  guard unsafe stat(folder, &owner) == 0 else { throw SystemError("stat", path, code: errno) }
  let temporary = try TemporaryFile(in: folder, for: path, mode: 0o600)
  var isDone = false
  defer { if !isDone { unsafe unlink(temporary.path) } }
  let descriptor = temporary.descriptor.rawValue
  try writeAll(bytes, to: descriptor, path)
  if owner.st_uid != geteuid(), fchown(descriptor, owner.st_uid, owner.st_gid) != 0 {
    guard fchmod(descriptor, 0o644) == 0 else { throw SystemError("fchmod", path, code: errno) }
  }
  guard unsafe rename(temporary.path, path) == 0 else {
    throw SystemError("rename", path, code: errno)
  }
  isDone = true
}

/// A new file in a folder, with a unique name.
struct TemporaryFile: ~Copyable {
  static let prefix = ".aasa-"

  let path: String
  let descriptor: FileDescriptor

  /// - Parameter target: The path of the final file, for error messages.
  init(in folder: String, for target: String, mode: UInt32) throws(SystemError) {
    for _ in 0..<100 {
      // Do not make the temporary name from the file's final name. The final name may already have
      // the maximum length.
      let name = "\(folder)/\(Self.prefix)" + String(UInt64.random(in: .min ... .max), radix: 36)
      let (number, code) = retrying {
        unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(mode))
      }
      if code == 0 {
        path = name
        descriptor = FileDescriptor(owning: number)
        return
      }
      guard code == EEXIST else { throw SystemError("open", target, code: code) }
    }
    throw SystemError("open", target, code: EEXIST)
  }
}

func writeAll(
  _ bytes: [UInt8], to number: Int32, _ path: String
) throws(SystemError) {
  var position = 0
  while position < bytes.count {
    let (count, code) = unsafe bytes.withUnsafeBytes { bytes in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[position...])
      return retrying { unsafe write(number, rest.baseAddress, rest.count) }
    }
    guard code == 0 else { throw SystemError("write", path, code: code) }
    position += count
  }
}

/// Follows a chain of symbolic links, and returns the path at its end. If `path` is not a link,
/// returns `path` itself.
private func linkTarget(_ path: String) throws(SystemError) -> String {
  var path = path
  // Linux follows at most 40 links (path_resolution(7)).
  for _ in 0..<40 {
    guard let target = readLink(path) else { return path }
    path = targetPath(target, ofLink: path)
  }
  throw SystemError("open", path, code: ELOOP)
}

/// Returns the path of `target`, which is the target of a symbolic link at `path`.
package func targetPath(_ target: String, ofLink path: String) -> String {
  target.hasPrefix("/") ? target : parentFolder(path) + "/" + target
}

/// Returns the folder of a path; `.` for a name without a folder.
package func parentFolder(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Flushes a folder to disk (fsync(2)). A new name in the folder then survives a crash, if the file
/// system supports flushing folders.
func flushFolder(_ folder: String) {
  guard let descriptor = try? FileDescriptor.opened(folder, O_RDONLY | O_CLOEXEC) else { return }
  _ = retrying { fsync(descriptor.rawValue) }
}

private func writeThrough(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  let descriptor = try FileDescriptor.opened(path, O_WRONLY | O_CLOEXEC)
  try writeAll(bytes, to: descriptor.rawValue, path)
}
