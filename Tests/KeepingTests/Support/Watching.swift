@testable import Keeping

/// Watching on the calling thread.
extension WatchRegistry {
  mutating func watchFolder(_ path: String, as key: ScanKey) {
    if let result = watcher?.tryToWatch(path) { note(result, folderOf: key) }
  }

  mutating func watch(_ path: String, for key: ScanKey, _ names: Names) {
    if let result = watcher?.tryToWatch(path) { note(result, for: key, names) }
  }
}
