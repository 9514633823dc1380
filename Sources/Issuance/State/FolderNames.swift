internal import Posix

/// The names in a folder. They are read again only after the folder has changed.
struct FolderNames {
  private let path: String
  /// The folder's change time at the last read; nil if the next call must read the folder again.
  private var known: Int64?

  init(_ path: String) { self.path = path }

  /// Returns the names if they may have changed since the last call.
  mutating func changed() -> [String]? {
    guard let change = try? status(path).changed, change != known,
      let names = try? completeFiles(in: path)
    else { return nil }
    // Some file systems store times in whole seconds, so a recent change time is not conclusive.
    known = Clock.wallSeconds() - change / 1_000_000_000 > 2 ? change : nil
    return names
  }

  mutating func forget() { known = nil }
}

/// Returns the names in a folder, without files that are still being written.
func completeFiles(in path: String) throws(SystemError) -> [String] {
  try listDirectory(path).filter { !$0.hasPrefix(".") }
}
