internal import LibC

/// A lock on a file (flock(2)), held as long as this value exists. If the process ends in any way,
/// even by a crash, the kernel releases the lock.
package struct FileLock: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Takes the lock on the file at `path`. Returns nil if another process holds the lock. Throws if
  /// the file cannot be created, or if the file system does not support locks.
  package init?(_ path: String) throws(SystemError) {
    let descriptor = try FileDescriptor.opened(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
    let (_, lockCode) = retrying { flock(descriptor.rawValue, LOCK_EX | LOCK_NB) }
    if lockCode == EWOULDBLOCK { return nil }
    guard lockCode == 0 else { throw SystemError("flock", path, code: lockCode) }
    self.descriptor = descriptor
  }

  /// Whether the locked file is still the file at `path`. Another process may have removed or
  /// replaced the locked file.
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

  /// Release the lock explicitly. A child process that is starting has a copy of the descriptor
  /// until its exec, so closing our descriptor would not release the lock.
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

/// Returns whether the content of a folder is lost when the container is removed. The result is
/// true if `/` is a container layer or in memory, and the folder is in memory or on the same device
/// as `/`. If the folder does not exist yet, looks at the nearest parent folder that exists.
package func isLostWithContainer(_ folder: String) -> Bool {
  #if os(Linux)
    var folder = folder
    while !["/", "."].contains(folder), (try? status(folder)) == nil {
      folder = parentFolder(folder)
    }
    var (own, root) = (stat(), stat())
    guard unsafe stat(folder, &own) == 0, unsafe stat("/", &root) == 0 else { return false }
    // The numbers are OVERLAYFS_SUPER_MAGIC, TMPFS_MAGIC and AUFS_SUPER_MAGIC (statfs(2)).
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
  /// The path of the lock's own file.
  package let path: String
  /// The ID of the process that holds the lock; nil if the lock's file does not contain an ID.
  package let process: Int?
}

/// Runs `body` while holding the lock of a file. The lock is on `.NAME.lock` in the same folder
/// (flock(2)), because the file itself may be replaced. Any other process on this machine that
/// wants the same lock waits, so two processes never edit the file at once. Only the file's owner
/// and root can hold the lock.
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
