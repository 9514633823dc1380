#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Writes a whole file so that at every moment, even after a crash, `path` has the old content or
/// the new one and never a part: written beside it, flushed to the disk, renamed (rename(2)).
///
/// A symbolic link stays; the file it leads to is replaced. An existing file keeps its permissions
/// and, as far as we may, its owner and group; a new one gets `mode` less the process's mask. What
/// is not a file, such as a pipe or a terminal, is written to as it is.
///
/// - Parameter replacing: false to refuse, with EEXIST, a path where a file is.
///
/// Throws what the system refuses. No temporary file is left then; only a kill at the wrong moment
/// leaves one, which begins with `.aasa-`.
package func writeFileAtomically(
  _ path: String, _ bytes: [UInt8], mode: UInt32 = 0o644, replacing: Bool = true
) throws(SystemError) {
  var status = stat()
  if unsafe stat(path, &status) == 0 {
    let found = FileStatus(status)
    if found.kind == .directory { throw SystemError("open", path, code: EISDIR) }
    if found.kind == .other { return try writeThrough(path, bytes) }
    guard replacing else { throw SystemError("open", path, code: EEXIST) }
    // Replacing a file needs the right to write its folder only; ask for the file's as well.
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

/// - Parameter old: the status of the file to be replaced, if there is one.
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
    // Before the permissions: giving a file away takes set-user-ID bits from it.
    _ = fchown(descriptor, old.st_uid, old.st_gid)
    guard fchmod(descriptor, old.st_mode & 0o7777) == 0 else {
      throw SystemError("fchmod", path, code: errno)
    }
  }
  let (_, syncCode) = retrying { fsync(descriptor) }
  guard syncCode == 0 else { throw SystemError("fsync", path, code: syncCode) }

  if onlyIfAbsent {
    // link(2) fails where something is, and rename(2) does not. Not every file system has links;
    // nothing was there a moment ago.
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

/// A new file in a folder, under a name nobody else has.
private struct TemporaryFile: ~Copyable {
  let path: String
  let descriptor: FileDescriptor

  /// - Parameter target: what errors name.
  init(in folder: String, for target: String, mode: UInt32) throws(SystemError) {
    for _ in 0..<100 {
      // Not made of the file's own name, which may be as long as names may be.
      let name = "\(folder)/.aasa-" + String(UInt64.random(in: .min ... .max), radix: 36)
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

/// Where a chain of symbolic links ends; `path` itself when it is none.
private func linkTarget(_ path: String) throws(SystemError) -> String {
  var path = path
  // As many as Linux follows (path_resolution(7)).
  for _ in 0..<40 {
    guard let target = readLink(path) else { return path }
    path = target.hasPrefix("/") ? target : parentFolder(path) + "/" + target
  }
  throw SystemError("open", path, code: ELOOP)
}

private func parentFolder(_ path: String) -> String {
  guard let slash = path.lastIndex(of: "/") else { return "." }
  return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// Makes the new name last, where the file system can (fsync(2), notes).
private func flushFolder(_ folder: String) {
  let (number, code) = retrying { unsafe open(folder, O_RDONLY | O_CLOEXEC) }
  guard code == 0 else { return }
  let descriptor = FileDescriptor(owning: number)
  _ = retrying { fsync(descriptor.rawValue) }
}

private func writeThrough(_ path: String, _ bytes: [UInt8]) throws(SystemError) {
  let (number, code) = retrying { unsafe open(path, O_WRONLY | O_CLOEXEC) }
  guard code == 0 else { throw SystemError("open", path, code: code) }
  let descriptor = FileDescriptor(owning: number)
  try writeAll(bytes, to: descriptor.rawValue, path)
}
