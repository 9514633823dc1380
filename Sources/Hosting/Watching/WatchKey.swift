/// What a change is about: one name in a watched folder, or the whole folder.
struct WatchKey: Hashable, Sendable {
  enum Folder: Sendable, CaseIterable { case domains, certificates }

  /// A name in the folder; nil for the folder as a whole.
  let name: String?
  let folder: Folder

  init(folder: Folder, name: String?) {
    self.name = name
    self.folder = folder
  }

  static func all(_ folder: Folder) -> WatchKey { WatchKey(folder: folder, name: nil) }
}

/// The keys that a change in one place concerns: nearly always one, sometimes a hundred thousand.
enum WatchKeys {
  case one(WatchKey)
  case many(Set<WatchKey>)

  mutating func insert(_ key: WatchKey) {
    switch self {
    case .one(key): return
    case .one(let first): self = .many([first, key])
    case .many(var keys):
      // So that the set is not shared while it grows.
      self = .one(key)
      keys.insert(key)
      self = .many(keys)
    }
  }

  var all: [WatchKey] {
    switch self {
    case .one(let key): [key]
    case .many(let keys): Array(keys)
    }
  }
}
