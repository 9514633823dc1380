internal import Posix

/// The search of the certificates folder: which paths there are, links followed.
struct CertificateSearch {
  let root: String
  /// In a folder of very many names, whether links that are called as chains and keys are taken for
  /// files without being asked where they lead: whoever reads them finds out.
  var presumesFiles = false

  /// Names in a folder from which on something may be presumed.
  static let manyNames = 512

  struct Result {
    /// Relative to the folder; directories those that were searched.
    var paths: [(path: String, isDirectory: Bool)] = []
    /// Some of the paths are files by presumption.
    var hasPresumed = false

    var directories: [String] { paths.filter(\.isDirectory).map(\.path) }
  }

  /// Throws when the certificates folder itself cannot be listed. A folder in it that cannot is
  /// taken as empty.
  func run() throws(SystemError) -> Result {
    var result = Result()
    var visited: Set<Place> = []
    if let status = try? status(root), let place = Place(status) { visited.insert(place) }
    let top = try listEntries(root)
    search(top, of: "", into: &result, &visited)
    return result
  }

  /// A directory, however many links lead to it: searched once, so that a loop ends.
  private struct Place: Hashable {
    let device: UInt64
    let inode: UInt64

    init?(_ status: FileStatus) {
      guard status.kind == .directory else { return nil }
      (device, inode) = (status.device, status.inode)
    }
  }

  private func search(
    _ entries: [DirectoryEntry], of folder: String, into result: inout Result,
    _ visited: inout Set<Place>
  ) {
    let visible = entries.filter { $0.name.utf8.first != UInt8(ascii: ".") }
    var folders = divide(visible, of: folder, into: &result)
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

  /// Notes the files and returns the folders.
  private func divide(
    _ entries: [DirectoryEntry], of folder: String, into result: inout Result
  ) -> [(path: String, place: Place)] {
    var folders: [(path: String, place: Place)] = []
    do throws(SystemError) {
      // The way to it is walked once, for links, of which all must be asked for, may be very many.
      let directory = try Directory(folder.isEmpty ? root : root + "/" + folder)
      let presumes = presumesFiles && entries.count > Self.manyNames
      for entry in entries {
        let path = folder.isEmpty ? entry.name : folder + "/" + entry.name
        if presumes, entry.isDirectory == nil, FoundNames.isUsual(entry.name) {
          result.paths.append((path, false))
          result.hasPresumed = true
        } else if entry.isDirectory != false, let status = try? directory.status(entry.name),
          let place = Place(status)
        {
          folders.append((path, place))
        } else {
          result.paths.append((path, false))
        }
      }
    } catch {
      // It has gone, or nobody may look up what is in it: told of when the files are read.
      for entry in entries {
        result.paths.append((folder.isEmpty ? entry.name : folder + "/" + entry.name, false))
      }
    }
    return folders
  }
}
