internal import Posix
internal import Settings

/// A listing of the entries in the domains folder.
struct DomainListing: KeptListing {
  let identity: FileStatus
  let isUnsettled: Bool
  let isEmpty: Bool
  /// The identity of the policy file `.aasa.json` in the folder; see
  /// `DomainObserver.policyIdentity`.
  let policy: Int
  let folder: DomainFolder

  var entries: Dictionary<DomainName, DomainFolder.Entry>.Values { folder.entries.values }
  func has(_ name: DomainName) -> Bool { folder.entries[name] != nil }
}

extension DomainListing {
  /// Lists a folder. Throws if the folder cannot be listed, or names in it cannot be looked up.
  init(_ root: String) throws(SystemError) {
    let directory = try Directory(root)
    // Take the folder's status before the listing, to detect a change during the listing. The
    // look-up of `.` fails if there is no permission to search the folder.
    identity = try directory.status(".")
    policy = DomainObserver.policyIdentity(in: directory)
    let names = try listNames(root, directory)
    let now = Clock.wallNanoseconds()
    isUnsettled = identity.settlingTime(now: now) > 0 || identity.doubtfulTime(now: now) > 0
    isEmpty = names.allSatisfy { isIgnored($0.name) }
    folder = DomainFolder(path: root, names: names)
  }
}

/// Returns the names in the folder at `path`, which is open as `directory`.
func listNames(
  _ path: String, _ directory: borrowing Directory
) throws(SystemError) -> [(name: String, isDirectory: Bool)] {
  var names: [(name: String, isDirectory: Bool)] = []
  for entry in try listEntries(path) {
    names.append((entry.name, entry.isDirectory ?? isFolder(entry.name, in: directory)))
  }
  return names
}

/// Whether a name is that of a directory, or of a link to a directory. A name with a known extension
/// is treated as that of a file; the function does not follow a link with such a name.
private func isFolder(_ name: String, in directory: borrowing Directory) -> Bool {
  if NameClass.file(name) != nil { return false }
  do throws(SystemError) {
    return try directory.status(name).kind == .directory
  } catch {
    // The link is broken now. Treat it as a link to a folder, because its name has no known
    // extension.
    return true
  }
}

extension DomainObserver {
  /// Returns the path of an entry, for messages.
  func path(of entry: DomainFolder.Entry) -> String {
    "\(root)/\(entry.file ?? entry.folder ?? entry.assetLinksFile ?? entry.name.entryName)"
  }
}

extension DomainFolder.Entry {
  /// Returns the domain's entry with the file names that exist now. Looks for the entry's previous
  /// file names, and for all names that the entry's files can have.
  ///
  /// - Parameter names: The names for which the kernel has reported events.
  func current(
    alsoCalled names: Set<String>, in directory: borrowing Directory
  ) -> DomainFolder.Entry {
    let known = DomainFolder.Part.allCases.compactMap { name(of: $0) }
    var candidates = names.union(known)
    for part in DomainFolder.Part.allCases {
      candidates.insert(part.usualName(of: name))
      // Also look for the form `_wildcard`, which users need if their file system does not allow
      // `*` in names. A new file can have this form even if no earlier file of the entry had it.
      if case .wildcard = name { candidates.insert(name.fileName + part.suffix) }
    }
    var entry = DomainFolder.Entry(name: name)
    for text in candidates {
      switch directory.find(text) {
      case .nothing: continue
      // A failed look-up does not show whether the file exists. If the file existed before, assume
      // that it still exists; otherwise, assume that it does not exist.
      case .unknown where !known.contains(text): continue
      case .link, .other, .unknown:
        let isDirectory = isFolder(text, in: directory)
        if case .part(let part, name) = NameClass(text, isDirectory: isDirectory) {
          _ = entry.add(text, as: part)
        }
      }
    }
    return entry.servesFiles || entry.lacksFile ? entry : DomainFolder.Entry(name: name)
  }
}
