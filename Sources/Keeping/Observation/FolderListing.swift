internal import Posix

/// The names in the domains folder before links are followed.
struct FolderNames: Sendable {
  let identity: FileStatus
  /// See `DomainObserver.policyIdentity`.
  let policy: Int
  let entries: [DirectoryEntry]

  /// Throws if the folder cannot be listed, or names in it cannot be looked up.
  init(_ path: String) throws(SystemError) {
    let directory = try Directory(path)
    // Taken before the listing, so that a change during the listing is detected. Looking up `.`
    // needs permission to search the folder.
    identity = try directory.status(".")
    policy = DomainObserver.policyIdentity(in: directory)
    entries = try listEntries(path)
  }
}

/// The names in the domains folder, and the folder's identity when it was listed.
struct FolderListing: Sendable {
  let identity: FileStatus
  /// See `FolderNames`.
  let policy: Int
  let names: [(name: String, isDirectory: Bool)]

  /// Whether there are only hidden names and names that a file system creates itself.
  var isEmpty: Bool {
    !names.contains { $0.name.utf8.first != UInt8(ascii: ".") && $0.name != "lost+found" }
  }

  /// Throws if the folder cannot be listed, or names in it cannot be looked up.
  init(_ path: String) throws(SystemError) {
    let list = try FolderNames(path)
    let directory = try Directory(path)
    self.init(list) { names in names.map { Self.isDirectory($0, in: directory) } }
  }

  /// - Parameter areDirectories: For links that must be followed, returns whether they lead to
  ///   directories.
  init(_ list: FolderNames, areDirectories: ([String]) -> [Bool]) {
    (identity, policy) = (list.identity, list.policy)
    let open = list.entries.filter { $0.isDirectory == nil && !NameClass.isFile($0.name) }.map(
      \.name)
    let found =
      open.isEmpty ? [:] : Dictionary(zip(open, areDirectories(open)), uniquingKeysWith: { $1 })
    names = list.entries.map { ($0.name, $0.isDirectory ?? found[$0.name] ?? false) }
  }

  /// Whether a link leads to a directory. A name with a known extension counts as a file, and its
  /// link is not followed.
  static func isDirectory(_ name: String, in directory: borrowing Directory) -> Bool {
    if NameClass.isFile(name) { return false }
    do throws(SystemError) {
      return try directory.status(name).kind == .directory
    } catch {
      // The link is broken now. A name without a known extension counts as a folder.
      return true
    }
  }
}
