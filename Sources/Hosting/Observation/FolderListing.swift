internal import Posix

/// The names in the domains folder, and the folder's identity when it was listed.
struct FolderListing: Sendable {
  let identity: FileIdentity
  let names: [(name: String, isDirectory: Bool)]

  /// Whether there is nothing but hidden names and what a file system puts there by itself.
  var isEmpty: Bool {
    !names.contains { $0.name.utf8.first != UInt8(ascii: ".") && $0.name != "lost+found" }
  }

  /// Throws when the folder cannot be listed, or names in it cannot be looked up.
  init(_ path: String) throws(SystemError) {
    let directory = try Directory(path)
    // From before listing: what changes meanwhile makes it another one. `.` can only be looked up
    // by whoever may search the folder.
    identity = FileIdentity(try directory.status("."))
    names = try listEntries(path).map { entry in
      (entry.name, entry.isDirectory ?? Self.isDirectory(entry.name, in: directory))
    }
  }

  /// What a link leads to. A link is called as what it is meant to lead to: only where the name says
  /// nothing, it is followed.
  static func isDirectory(_ name: String, in directory: borrowing Directory) -> Bool {
    if [".json", ".cases", ".hosts"].contains(where: { name.hasSuffix($0) }) { return false }
    do throws(SystemError) {
      return try directory.status(name).kind == .directory
    } catch {
      // It leads nowhere now: a name without an ending we know is a folder's.
      return true
    }
  }
}
