internal import Posix

/// The names in the domains folder, and the identity that the folder had during its listing.
struct FolderListing: Sendable {
  let identity: FileStatus
  /// The identity of the policy file `.aasa.json` in the folder; see
  /// `DomainObserver.policyIdentity`.
  let policy: Int
  let names: [(name: String, isDirectory: Bool)]

  /// Whether the folder contains only hidden names, and names that file systems create themselves.
  var isEmpty: Bool {
    !names.contains { $0.name.utf8.first != UInt8(ascii: ".") && $0.name != "lost+found" }
  }

  /// Lists a folder. Throws if the folder cannot be listed, or names in it cannot be looked up.
  init(_ path: String) throws(SystemError) {
    let directory = try Directory(path)
    // Take the folder's status before the listing, to detect a change during the listing. The
    // look-up of `.` fails if there is no permission to search the folder.
    identity = try directory.status(".")
    policy = DomainObserver.policyIdentity(in: directory)
    var names: [(name: String, isDirectory: Bool)] = []
    for entry in try listEntries(path) {
      let isDirectory = entry.isDirectory ?? Self.isDirectory(entry.name, in: directory)
      names.append((entry.name, isDirectory))
    }
    self.names = names
  }

  /// Whether a name is that of a directory, or of a link to a directory. A name with a known
  /// extension is treated as that of a file; the function does not follow a link with such a name.
  static func isDirectory(_ name: String, in directory: borrowing Directory) -> Bool {
    if NameClass.isFile(name) { return false }
    do throws(SystemError) {
      return try directory.status(name).kind == .directory
    } catch {
      // The link is broken now. Treat it as a link to a folder, because its name has no known
      // extension.
      return true
    }
  }
}
