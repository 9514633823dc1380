internal import LibC

/// A lock on a file, held as long as this value exists. The kernel releases it however the process
/// ends, so it is never stale.
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Nil if another process holds the lock. Throws if the file cannot be created, or if the file
  /// system does not support locks.
  package init?(_ path: String) throws(SystemError) {
    let descriptor = try FileDescriptor.opened(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
    let (_, lockCode) = retrying { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
    if lockCode == EWOULDBLOCK { return nil }
    guard lockCode == 0 else { throw SystemError("flock", path, code: lockCode) }
    self.descriptor = descriptor
  }

  /// Whether the locked file is the file that is at `path` now. The locked file may have been
  /// removed.
  package func isAt(_ path: String) -> Bool {
    var (own, current) = (stat(), stat())
    return unsafe fstat(descriptor.rawValue, &own) == 0 && stat(path, &current) == 0
      && own.st_ino == current.st_ino && own.st_dev == current.st_dev
  }

  /// Removes the file while the lock is held.
  fileprivate func remove(_ path: String) { try? removeFile(path) }

  /// Replaces the content of the file.
  fileprivate func write(_ text: String) throws(SystemError) {
    _ = ftruncate(descriptor.rawValue, 0)
    try writeAll(Array(text.utf8), to: descriptor.rawValue, "lock")
  }

  /// A child process that is starting has a copy of the descriptor until its exec. So closing our
  /// descriptor would not release the lock.
  deinit { flock(descriptor.rawValue, LOCK_UN) }
}

/// Makes a folder and its missing parents. Does nothing if the folder exists.
package func makeFolder(_ path: String, mode: UInt32) throws(SystemError) {
  if unsafe mkdir(path, mode_t(mode)) == 0 || errno == EEXIST { return }
  let code = errno
  guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
    throw SystemError("mkdir", path, code: code)
  }
  try makeFolder(String(path[..<slash]), mode: mode)
  guard unsafe mkdir(path, mode_t(mode)) == 0 || errno == EEXIST else {
    throw SystemError("mkdir", path, code: errno)
  }
}

/// Removes a file, if it exists.
package func removeFile(_ path: String) throws(SystemError) {
  guard unsafe unlink(path) == 0 || errno == ENOENT else {
    throw SystemError("unlink", path, code: errno)
  }
}

/// Renames a file, and replaces any file that has the new name.
package func renameFile(_ path: String, to other: String) throws(SystemError) {
  guard unsafe rename(path, other) == 0 else { throw SystemError("rename", path, code: errno) }
}

/// Appends bytes to a file. Creates the file if it does not exist.
package func appendToFile(_ path: String, _ bytes: [UInt8], mode: UInt32) throws(SystemError) {
  let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC
  let descriptor = try FileDescriptor.opened(path, flags, mode: mode_t(mode))
  try writeAll(bytes, to: descriptor.rawValue, path)
}

/// Returns whether the content of a folder is lost when the container is removed. True if `/` is a
/// container layer or in memory, and the folder is in memory or on the same device as `/`.
package func isLostWithContainer(_ folder: String) -> Bool {
  #if os(Linux)
    var (own, root) = (stat(), stat())
    guard unsafe stat(folder, &own) == 0, unsafe stat("/", &root) == 0 else { return false }
    // OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC, AUFS_SUPER_MAGIC (statfs(2)).
    let memory = 0x0102_1994
    let isLayer = [0x794C_7630, memory, 0x6175_6673]
      .contains(Int(unsafe aasa_file_system("/")))
    guard isLayer || isFolderOfContainerEngine() else { return false }
    return own.st_dev == root.st_dev || Int(unsafe aasa_file_system(folder)) == memory
  #else
    return false
  #endif
}

/// The error of `withLock` when another process is editing the file.
package struct LockHeld: Error {
  /// The file of the lock.
  package let path: String
  /// The holder's process ID; nil if the file contains none.
  package let process: Int?
}

/// Runs `body` while holding the lock of a file. The lock is on `.NAME.lock` in the same folder
/// (flock(2)), because the file itself may be replaced. Other processes on this machine that use
/// the lock wait, and do not edit the file at the same time. Only the file's owner and root can
/// hold the lock.
///
/// Throws `LockHeld` if another process still holds the lock after `patience` milliseconds, or the
/// system's error if the lock's file cannot be created.
package func withLock<Result>(
  ofFile path: String, patience: Int64, _ body: () throws -> Result
) throws -> Result {
  let name = path.lastIndex(of: "/").map { path[path.index(after: $0)...] } ?? path[...]
  let lockPath = parentFolder(path) + "/.\(name).lock"
  let end = Deadline(afterMilliseconds: patience)
  while true {
    if let lock = try FileLock(lockPath), lock.isAt(lockPath) {
      defer { lock.remove(lockPath) }
      try lock.write("\(getpid())\n")
      return try body()
    }
    if end.isOver {
      let holder = (try? readFile(lockPath, limit: 64)) ?? []
      throw LockHeld(
        path: lockPath, process: Int(String(decoding: holder.dropLast(), as: UTF8.self)))
    }
    Thread.pause(milliseconds: 50)
  }
}
