internal import Posix

/// The names in the domains folder, and the folder's identity when it was listed.
struct FolderListing: Sendable {
  let identity: FileStatus
  let names: [(name: String, isDirectory: Bool)]

  /// Whether there are only hidden names, and those that a file system creates itself.
  var isEmpty: Bool {
    !names.contains { $0.name.utf8.first != UInt8(ascii: ".") && $0.name != "lost+found" }
  }

  /// Throws if the folder cannot be listed, or names in it cannot be looked up.
  init(_ path: String) throws(SystemError) {
    let directory = try Directory(path)
    // Taken before listing, so that a change during the listing shows. Looking up `.` needs
    // permission to search the folder.
    identity = try directory.status(".")
    names = try listEntries(path).map { entry in
      (entry.name, entry.isDirectory ?? Self.isDirectory(entry.name, in: directory))
    }
  }

  /// Whether a link leads to a directory. The link's name decides; the link is followed only if the
  /// name does not decide.
  static func isDirectory(_ name: String, in directory: borrowing Directory) -> Bool {
    if NameClass.isFile(name) { return false }
    do throws(SystemError) {
      return try directory.status(name).kind == .directory
    } catch {
      // It leads nowhere now. A name without a known extension is that of a folder.
      return true
    }
  }
}
