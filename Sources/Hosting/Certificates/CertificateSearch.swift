internal import Posix

/// The search of the certificates folder: which paths there are, links followed.
struct CertificateSearch {
  let root: String

  struct Result {
    /// Relative to the folder; directories those that were searched.
    var paths: [(path: String, isDirectory: Bool)] = []

    var directories: [String] { paths.filter(\.isDirectory).map(\.path) }
  }

  /// Throws when the certificates folder itself cannot be listed. A folder in it that cannot is
  /// taken as empty.
  func run() throws(SystemError) -> Result {
    var result = Result()
    var visited: Set<Place> = []
    if let place = place(of: root) { visited.insert(place) }
    let top = try listEntries(root)
    search(top, of: "", into: &result, &visited)
    return result
  }

  /// A directory, however many links lead to it: searched once, so that a loop ends.
  private struct Place: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private func place(of path: String) -> Place? {
    guard let status = try? status(path), status.kind == .directory else { return nil }
    return Place(device: status.device, inode: status.inode)
  }

  private func search(
    _ entries: [DirectoryEntry], of folder: String, into result: inout Result,
    _ visited: inout Set<Place>
  ) {
    var folders: [(path: String, place: Place)] = []
    for entry in entries where !entry.name.hasPrefix(".") {
      let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
      if entry.isDirectory != false, let place = place(of: root + "/" + path) {
        folders.append((path, place))
      } else {
        result.paths.append((path, false))
      }
    }
    // Which of two links to one folder is followed must not depend on the directory's order.
    folders.sort { $0.path < $1.path }
    let siblings = Set(
      folders.map { String($0.path.dropFirst(folder.isEmpty ? 0 : folder.count + 1)) })
    for (path, place) in folders
    where CertificateFolder.isSearched(path, siblings: siblings) && visited.insert(place).inserted {
      result.paths.append((path, true))
      if let entries = try? listEntries(root + "/" + path) {
        search(entries, of: path, into: &result, &visited)
      }
    }
  }
}
