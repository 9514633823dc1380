internal import Posix

/// The names of the files in a folder. The folder is read again only after it has changed.
struct FolderNames {
  private let path: String
  /// The folder's change time when it was last read; nil if the next call must read the folder
  /// again.
  private var known: Int64?

  init(_ path: String) { self.path = path }

  /// Returns the names if the folder may have changed since the last call; otherwise nil.
  mutating func changed() -> [String]? {
    guard let change = try? status(path).changed, change != known,
      let names = try? completeFiles(in: path)
    else { return nil }
    // If the change time is recent, it may be the same after a further change, because some file
    // systems store times in whole seconds.
    known = Clock.wallSeconds() - change / 1_000_000_000 > 2 ? change : nil
    return names
  }

  mutating func forget() { known = nil }
}

/// Returns the names of the files in a folder. Omits files that are still being written.
func completeFiles(in path: String) throws(SystemError) -> [String] {
  try listDirectory(path).filter { !$0.hasPrefix(".") }
}
