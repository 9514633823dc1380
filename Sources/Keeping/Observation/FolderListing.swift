internal import Posix

/// The names in the domains folder, and the folder's identity when it was listed.
struct FolderListing: Sendable {
  let identity: FileStatus
  /// See `DomainObserver.policyIdentity`.
  let policy: Int
  let names: [(name: String, isDirectory: Bool)]

  /// Whether there are only hidden names and names that a file system creates itself.
  var isEmpty: Bool {
    !names.contains { $0.name.utf8.first != UInt8(ascii: ".") && $0.name != "lost+found" }
  }

  /// Throws if the folder cannot be listed, or names in it cannot be looked up.
  init(_ path: String) throws(SystemError) {
    let directory = try Directory(path)
    // Taken before the listing, so that a change during the listing is detected. Looking up `.`
    // needs permission to search the folder.
    identity = try directory.status(".")
    policy = DomainObserver.policyIdentity(in: directory)
    var names: [(name: String, isDirectory: Bool)] = []
    for entry in try listEntries(path) {
      let isDirectory = entry.isDirectory ?? Self.isDirectory(entry.name, in: directory)
      names.append((entry.name, isDirectory))
    }
    self.names = names
  }

  /// Whether a link points to a directory. A name with a known extension counts as a file, and its
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
