internal import LibC

/// A private folder for the program's own files. Only its owner may open it, and only one process
/// writes at a time. Each file has either its old or its new content, even after a crash. Paths are
/// relative to the folder.
package struct Store: Sendable {
  package let root: String

  package init(_ root: String) { self.root = root }

  package func path(_ name: String) -> String { name.isEmpty ? root : root + "/" + name }

  /// Makes a folder and its missing parents. Does nothing if the folder exists.
  package func make(_ folder: String = "") throws(StoreFault) {
    try reporting { () throws(SystemError) in try makeFolder(path(folder), mode: 0o700) }
  }

  /// Throws `StoreFault.open` if other users may open the folder.
  package func checkSecrecy(of folder: String) throws(StoreFault) {
    guard let mode = status(folder)?.mode, mode & 0o077 != 0 else { return }
    throw .open(mode: mode & 0o777)
  }

  /// Takes the lock with this name, and holds it as long as the returned value exists. Throws
  /// `StoreFault.locked` if another process holds the lock.
  package func lock(_ name: String) throws(StoreFault) -> FileLock {
    let path = path(name)
    let lock = try reporting { () throws(SystemError) in try FileLock(path) }
    guard let lock else { throw .locked }
    return lock
  }

  /// Returns the status of a file or folder, following links; nil if nothing can be found.
  package func status(_ name: String) -> FileStatus? { try? Posix.status(path(name)) }

  /// Returns the content of a file; nil if the file does not exist.
  package func read(_ name: String, limit: Int) throws(StoreFault) -> [UInt8]? {
    do throws(SystemError) {
      return try readFile(path(name), limit: limit)
    } catch {
      if error.isNotFound { return nil }
      throw StoreFault(error)
    }
  }

  /// Passes the content of a file to `body`, and then overwrites the content in memory, because the
  /// content may be secret. Returns nil if there is no file, or if `body` returns nil.
  package func readSecret<Value>(
    _ name: String, limit: Int, _ body: ([UInt8]) -> Value?
  ) throws(StoreFault) -> Value? {
    guard var bytes = try read(name, limit: limit) else { return nil }
    defer { cleanse(&bytes) }
    return body(bytes)
  }

  /// Returns the names in a folder, without hidden files such as unfinished temporary files.
  package func names(in folder: String) throws(StoreFault) -> [String] {
    try reporting { () throws(SystemError) in
      try listDirectory(path(folder)).filter { !$0.hasPrefix(".") }
    }
  }

  /// If the names in a folder may have changed since the time `known`, returns the names, and sets
  /// `known` to the time of the folder's last change. Returns nil if the names have not changed or
  /// cannot be read.
  package func names(in folder: String, changedSince known: inout Int64?) -> [String]? {
    guard let change = status(folder)?.changed, change != known, let names = try? names(in: folder)
    else { return nil }
    // Some file systems store times in whole seconds, so a second change may not change the time.
    // Therefore, do not store a recent time.
    known = Clock.wallSeconds() - change / 1_000_000_000 > 2 ? change : nil
    return names
  }

  /// Returns the files in a folder and in `depth` levels of subfolders, sorted as text. Omits
  /// hidden files, such as unfinished temporary files. Treats an unreadable folder as empty.
  package func files(in folder: String, depth: Int = 0) -> [String] {
    var result: [String] = []
    for entry in (try? listEntries(path(folder))) ?? [] {
      let name = folder.isEmpty ? entry.name : folder + "/" + entry.name
      let isFolder = entry.isDirectory ?? ((try? linkStatus(path(name)))?.kind == .directory)
      if isFolder {
        if depth > 0 { result += files(in: name, depth: depth - 1) }
      } else if entry.name.utf8.first != UInt8(ascii: ".") {
        result.append(name)
      }
    }
    return result.sorted()
  }

  /// Writes one file, and flushes it to disk. Makes the file's folder if the folder does not exist.
  /// An existing file keeps its owner, and its permissions for owner and group.
  ///
  /// - Parameter replacing: Whether to replace an existing file. If false and the file exists, the
  ///   write fails.
  package func write(
    _ name: String, _ bytes: [UInt8], replacing: Bool = true
  ) throws(StoreFault) {
    try reporting { () throws(SystemError) in
      try makeFolder(parentFolder(path(name)), mode: 0o700)
      try writeFileAtomically(path(name), bytes, mode: 0o600, replacing: replacing)
    }
  }

  /// Writes a file with secrets from one buffer, which is never reallocated and is overwritten
  /// afterwards.
  ///
  /// - Parameters:
  ///   - capacity: The maximum number of bytes of the file.
  ///   - fill: Appends the content to the empty buffer.
  package func writeSecret(
    _ name: String, capacity: Int, replacing: Bool = true, _ fill: (inout [UInt8]) -> Void
  ) throws(StoreFault) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(capacity)
    defer { cleanse(&bytes) }
    fill(&bytes)
    try write(name, bytes, replacing: replacing)
  }

  /// Appends bytes to a file. If the file is then longer than `limit`, renames it to `NAME.1`.
  package func append(_ name: String, _ bytes: [UInt8], limit: Int64) throws(StoreFault) {
    try reporting { () throws(SystemError) in try appendToFile(path(name), bytes, mode: 0o600) }
    if let size = status(name)?.size, size > limit { try rename(name, to: name + ".1") }
  }

  /// Renames a file, and replaces any file that has the new name.
  package func rename(_ name: String, to other: String) throws(StoreFault) {
    try reporting { () throws(SystemError) in try renameFile(path(name), to: path(other)) }
  }

  /// Removes a file if it exists.
  ///
  /// - Parameter pruning: Whether to also remove each folder on the file's path that is now empty.
  ///   The first folder of the path always stays.
  package func remove(_ name: String, pruning: Bool = false) throws(StoreFault) {
    try reporting { () throws(SystemError) in try removeFile(path(name)) }
    var folder = parentFolder(name)
    while pruning, folder.contains("/"), unsafe rmdir(path(folder)) == 0 {
      folder = parentFolder(folder)
    }
  }

  /// Removes the temporary files that interrupted writes have left in a folder and in `depth`
  /// levels of subfolders.
  ///
  /// - Parameter seconds: The minimum age of the files to remove. A process without the lock may
  ///   still be writing a newer file.
  package func removeTemporaryFiles(
    in folder: String, depth: Int = 0, olderThan seconds: Int64 = -1
  ) {
    let end = Clock.wallSeconds() - seconds
    for entry in (try? listEntries(path(folder))) ?? [] {
      let name = folder.isEmpty ? entry.name : folder + "/" + entry.name
      if entry.isDirectory == true {
        if depth > 0 { removeTemporaryFiles(in: name, depth: depth - 1, olderThan: seconds) }
      } else if entry.name.hasPrefix(TemporaryFile.prefix),
        let found = try? linkStatus(path(name)), found.kind == .regular,
        found.modifiedSeconds < end
      {
        try? removeFile(path(name))
      }
    }
  }
}

/// Why an operation on a `Store` failed.
package enum StoreFault: Error, Sendable, Equatable, CustomStringConvertible {
  /// The folder is for secrets, but other users may open it.
  case open(mode: UInt32)
  /// Another process holds the lock.
  case locked
  /// The file system has no space left.
  case full(SystemError)
  /// The user of this process has no permission.
  case denied(SystemError)
  /// Any other error, such as a faulty disk.
  case failed(SystemError)

  package init(_ error: SystemError) {
    if error.isOutOfSpace {
      self = .full(error)
    } else if error.isPermissionDenied || error.code == EROFS {
      self = .denied(error)
    } else {
      self = .failed(error)
    }
  }

  package var description: String {
    switch self {
    case .open, .locked: reason
    case .full(let error), .denied(let error), .failed(let error): error.description
    }
  }

  /// The reason in words, without the path: for an error of the system, the system's description.
  package var reason: String {
    switch self {
    case .open(let mode): "other users can open the folder (mode \(String(mode, radix: 8)))"
    case .locked: "another process uses the folder"
    case .full(let error), .denied(let error), .failed(let error): error.reason
    }
  }
}

private func reporting<Result: ~Copyable>(
  _ body: () throws(SystemError) -> Result
) throws(StoreFault) -> Result {
  do throws(SystemError) { return try body() } catch { throw StoreFault(error) }
}

/// Files of a `Store` that are written together, because flushing many files one by one is slow.
package struct StoreBatch: ~Copyable {
  private let store: Store
  /// The files that were written under a temporary name and are not renamed yet.
  private var written: [(name: String, temporary: String)] = []
  /// If a batch has more files than this number, flushing the whole file system is faster than
  /// flushing each file separately.
  private static let many = 16

  package init(_ store: Store) { self.store = store }

  deinit { for file in written { unsafe unlink(file.temporary) } }

  /// Writes a file under a temporary name, with mode 0600.
  ///
  /// - Parameter modified: The modification time of the file, in seconds since 1970; nil for now.
  package mutating func add(
    _ name: String, _ bytes: [UInt8], modified: Int64? = nil
  ) throws(StoreFault) {
    let path = store.path(name)
    let temporary = try reporting { () throws(SystemError) in
      try makeFolder(parentFolder(path), mode: 0o700)
      return try TemporaryFile(in: parentFolder(path), for: path, mode: 0o600)
    }
    written.append((name, temporary.path))
    do throws(SystemError) {
      let descriptor = temporary.descriptor.rawValue
      try writeAll(bytes, to: descriptor, path)
      guard let modified else { return }
      let time = timespec(tv_sec: Int(modified), tv_nsec: 0)
      guard unsafe futimens(descriptor, [time, time]) == 0 else {
        throw SystemError("futimens", path, code: errno)
      }
    } catch {
      unsafe unlink(temporary.path)
      written.removeLast()
      throw StoreFault(error)
    }
  }

  /// Flushes the files to disk, and renames them to their final names. Returns, for each file that
  /// failed, its name and the fault.
  package mutating func commit() -> [String: StoreFault] {
    var faults: [String: StoreFault] = [:]
    let all = written
    if all.isEmpty { return faults }
    let isSynced = all.count > Self.many && syncFileSystem(store.root)
    var folders: Set<String> = []
    for (name, temporary) in all {
      let path = store.path(name)
      do throws(SystemError) {
        if !isSynced { try syncFile(temporary) }
        try renameFile(temporary, to: path)
        folders.insert(parentFolder(path))
      } catch {
        unsafe unlink(temporary)
        faults[name] = StoreFault(error)
      }
    }
    written = []
    if !isSynced || !syncFileSystem(store.root) { for folder in folders { flushFolder(folder) } }
    return faults
  }
}

/// Flushes the file system that contains a folder. Returns false if the system cannot flush a whole
/// file system.
private func syncFileSystem(_ folder: String) -> Bool {
  #if os(Linux)
    guard let descriptor = try? FileDescriptor.opened(folder, O_RDONLY | O_CLOEXEC) else {
      return false
    }
    return retrying { syncfs(descriptor.rawValue) }.code == 0
  #else
    return false
  #endif
}

private func syncFile(_ path: String) throws(SystemError) {
  let descriptor = try FileDescriptor.opened(path, O_RDONLY | O_CLOEXEC)
  let (_, code) = retrying { fsync(descriptor.rawValue) }
  guard code == 0 else { throw SystemError("fsync", path, code: code) }
}
