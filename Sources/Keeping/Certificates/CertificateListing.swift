internal import Diagnostics
internal import Posix

/// A listing of a certificates folder, and the certificates that the files in it form.
struct CertificateListing: KeptListing {
  typealias Key = String

  let search: CertificateSearch
  let names: CertificateFolderNames
  /// Folders and links that cannot be followed.
  let closed: [Diagnostic]

  var identity: FileStatus { search.status }
  var isUnsettled: Bool { false }
  var isEmpty: Bool { search.isEmpty }
  var entries: [CertificateFolder.Entry] { names.folder.entries }
  func has(_ chain: String) -> Bool { names.chains.contains(chain) }
  var keysWithoutChain: Set<String> { names.keysWithoutChain }
}

/// The file names that a search found, and the certificates that these files form. The names are
/// parsed again only after a change, because parsing the names of 10,000 certificates takes 20 MB
/// of memory.
struct CertificateFolderNames: Sendable {
  private var mark = 0
  private(set) var folder = CertificateFolder(root: "", paths: [])
  private(set) var chains: Set<String> = []
  private(set) var keysWithoutChain: Set<String> = []

  init() {}

  init(root: String, paths: [(path: String, isDirectory: Bool)], after last: Self) {
    mark = paths.count
    for (path, isDirectory) in paths {
      var hasher = Hasher()
      hasher.combine(path)
      hasher.combine(isDirectory)
      // The order of a directory listing must not matter. Add the hashes, because a sum does not
      // depend on the order.
      mark &+= hasher.finalize()
    }
    if mark == last.mark {
      self = last
      return
    }
    folder = CertificateFolder(root: root, paths: paths)
    chains = Set(folder.entries.map(\.chain))
    keysWithoutChain = folder.keysWithoutChain(among: paths)
  }
}

extension CertificateListing {
  init(_ root: String, after last: CertificateFolderNames) throws(SystemError) {
    search = try CertificateSearch(root)
    names = CertificateFolderNames(root: root, paths: search.paths, after: last)
    closed = search.closed.map { path, error in
      unreadableDiagnostic(
        "the folder", .certificateFileUnreadable, path.isEmpty ? root : root + "/" + path, error)
    }
  }
}

/// A search for files in the certificates folder. The search follows links.
struct CertificateSearch: Sendable {
  let root: String
  /// The paths of files and directories, relative to the folder. Directories that were not searched
  /// are omitted.
  private(set) var paths: [(path: String, isDirectory: Bool)] = []
  /// Folders and links that could not be followed.
  private(set) var closed: [(path: String, error: SystemError)] = []
  /// The status of the folder itself.
  let status: FileStatus
  private(set) var isEmpty: Bool
  /// The directories that were searched. Each directory is searched only once, so that the search
  /// ends even if links form a loop.
  private var visited: Set<Place> = []

  private struct Place: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
  }

  var directories: [String] { paths.filter(\.isDirectory).map(\.path) }

  /// Whether the folder of a file was not searched.
  func lacksFolder(of path: String) -> Bool {
    guard let slash = path.lastIndex(of: "/") else { return false }
    return !paths.contains { $0.isDirectory && $0.path == path[..<slash] }
  }

  /// Searches a folder. Throws if the folder itself cannot be listed, or if the names in the folder
  /// cannot be looked up.
  init(_ root: String) throws(SystemError) {
    let directory = try Directory(root)
    self.init(root: root, status: try directory.status("."), isEmpty: true)
    visited.insert(Place(device: status.device, inode: status.inode))
    search(try listEntries(root), of: "")
    // If the folder became inaccessible during the search, report the folder, not its content.
    if !closed.isEmpty { _ = try Directory(root).status(".") }
  }

  /// Makes a search that has not found anything yet.
  init(root: String, status: FileStatus, isEmpty: Bool) {
    (self.root, self.status, self.isEmpty) = (root, status, isEmpty)
  }

  private mutating func search(_ entries: [DirectoryEntry], of folder: String) {
    let visible = entries.filter { !isIgnored($0.name) }
    if !visible.isEmpty { isEmpty = false }
    var folders = divide(visible, of: folder)
    // If two links lead to the same folder, only the first link is followed. Sort the folders, so
    // that this choice does not depend on the order of the listing.
    folders.sort { $0.path < $1.path }
    let siblings = Set(
      folders.map { String($0.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1)) })
    for (path, place) in folders
    where CertificateFolder.isSearched(path, siblings: siblings) && visited.insert(place).inserted {
      paths.append((path, true))
      do throws(SystemError) {
        search(try listEntries(root + "/" + path), of: path)
      } catch {
        // If the folder was removed after its parent folder was listed, ignore the removed folder.
        if error.isNotFound { paths.removeLast() } else { closed.append((path, error)) }
      }
    }
  }

  /// Adds the files in a directory to `paths`, and returns the folders in the directory.
  private mutating func divide(
    _ entries: [DirectoryEntry], of folder: String
  ) -> [(path: String, place: Place)] {
    var folders: [(path: String, place: Place)] = []
    do throws(SystemError) {
      let directory = try Directory(folder.isEmpty ? root : root + "/" + folder)
      for entry in entries {
        let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
        if entry.isDirectory == false {
          paths.append((path, false))
          continue
        }
        do throws(SystemError) {
          let found = try directory.status(entry.name)
          if found.kind == .directory {
            folders.append((path, Place(device: found.device, inode: found.inode)))
          } else {
            paths.append((path, false))
          }
        } catch {
          // Skip a name that no longer exists. The name of a broken link still exists.
          if directory.find(entry.name) == .nothing { continue }
          if Self.isFileName(entry.name) {
            paths.append((path, false))
          } else {
            closed.append((path, error))
          }
        }
      }
    } catch {
      if folder.isEmpty || !error.isNotFound { closed.append((folder, error)) }
    }
    return folders
  }

  /// Whether a link has the name of a chain or a key. For such a link, the code that reads the file
  /// reports why the link cannot be followed.
  private static func isFileName(_ name: String) -> Bool {
    [".crt", ".pem", ".key"].contains { name.lowercased().hasSuffix($0) }
  }

  /// If a folder on the path cannot be searched, returns this folder and the error; otherwise
  /// returns nil.
  func obstacle(to path: String) -> (path: String, error: SystemError)? {
    closed.first { path == $0.path || path.hasPrefix($0.path + "/") || $0.path.isEmpty }
  }
}
