internal import Posix

/// Which directories are watched, and whom a change in them concerns.
///
/// Where the kernel cannot tell of changes (a network file system, no watches left), the key is
/// put among those that must be looked at again and again.
struct WatchRegistry {
  private var watcher: DirectoryWatcher?
  /// Directories in which every name has a key of its own.
  private var folders: [Int32: WatchKey.Folder] = [:]
  /// Directories in which any change concerns these keys.
  private var owners: [Int32: WatchKeys] = [:]
  /// Single names in directories: links, and where links lead.
  private var points: [Point: WatchKeys] = [:]
  /// Where each watched directory is, but for folders of entries that have one owner: they are
  /// called as their owners are, and there may be very many of them.
  private var paths: [Int32: String] = [:]
  /// Of these, those that are the folder `.well-known` in an entry's.
  private var wellKnowns: Set<Int32> = []
  /// Where the watched folders are.
  private var roots: [WatchKey.Folder: String] = [:]

  private struct Point: Hashable {
    let directory: Int32
    let name: String
  }

  /// Keys whose changes nobody tells of.
  private(set) var polled: Set<WatchKey> = []
  /// Why the first of them is polled, for the log.
  private(set) var pollingReason: String?

  /// - Parameter isPollingForced: do not ask the kernel at all.
  init(isPollingForced: Bool) {
    if isPollingForced {
      watcher = nil
      pollingReason = "polling is configured"
      return
    }
    do throws(SystemError) {
      watcher = try DirectoryWatcher()
    } catch {
      watcher = nil
      pollingReason = error.description
    }
  }

  /// Puts the kernel's events under the poller's eyes.
  func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
    try watcher?.register(with: poller, token: token)
  }

  /// Watches a folder whose names have keys of their own, and the way to it.
  ///
  /// Returns whether it was not watched before, or still is not, so that nobody knows what has
  /// happened in it or to it.
  @discardableResult
  mutating func watchFolder(_ path: String, as folder: WatchKey.Folder) -> Bool {
    let whole = WatchKey(folder: folder, name: nil)
    roots[folder] = path
    watchWay(to: path, below: "", for: whole)
    guard let directory = watch(directory: path, for: whole)?.directory else {
      // What is polled is compared anyhow.
      return !polled.contains(whole)
    }
    return folders.updateValue(folder, forKey: directory) != folder
  }

  /// Watches the two folders in which an entry of a watched folder may have files.
  ///
  /// That is all there is to watch when no link leads out of them.
  mutating func watchEntry(_ key: WatchKey) {
    guard let root = roots[key.folder], let name = key.name else { return }
    let folder = root + "/" + name
    for (path, isWellKnown) in [(folder, false), (folder + "/.well-known", true)] {
      guard let directory = add(directory: path, for: key) else { continue }
      if owners[directory] == nil && paths[directory] == nil {
        if isWellKnown { wellKnowns.insert(directory) }
      } else if path != self.path(of: directory) {
        // One directory by two names.
        paths[directory] = path
      }
      own(directory, key)
    }
  }

  private mutating func own(_ directory: Int32, _ key: WatchKey) {
    if owners[directory]?.insert(key) == nil { owners[directory] = .one(key) }
  }

  private func path(of directory: Int32) -> String? {
    if let path = paths[directory] { return path }
    guard case .one(let key) = owners[directory], let name = key.name,
      let root = roots[key.folder]
    else { return nil }
    return root + "/" + name + (wellKnowns.contains(directory) ? "/.well-known" : "")
  }

  /// Watches everything that one key depends on.
  ///
  /// - Parameters:
  ///   - directories: any change in them concerns the key; those that do not exist are left out,
  ///     for their parent tells when they come.
  ///   - files: when they are links, the way to their end is watched.
  mutating func watch(
    _ key: WatchKey, directories: [String], files: [String], below root: String
  ) {
    for path in directories {
      if let watched = watch(directory: path, for: key) { own(watched.directory, key) }
      if readLink(path) != nil {
        watchWay(to: path, below: root, for: key)
      }
    }
    for path in files where readLink(path) != nil {
      watchWay(to: path, below: root, for: key)
    }
  }

  /// What has happened to which key.
  struct Observed {
    let key: WatchKey
    let change: DirectoryWatcher.Event.Change
    /// The path of the name that it happened to.
    let path: String
  }

  /// Takes the events that came, each with the keys that it concerns.
  mutating func takeEvents() -> [Observed] {
    guard watcher != nil else { return [] }
    var result: [Observed] = []
    while let events = watcher?.takeEvents(), !events.isEmpty {
      for event in events {
        let path = (path(of: event.directory) ?? "") + "/" + event.name
        for key in keys(of: event) {
          result.append(Observed(key: key, change: event.change, path: path))
        }
        if event.change == .directoryGone { forget(event.directory) }
      }
    }
    return result
  }

  private func keys(of event: DirectoryWatcher.Event) -> [WatchKey] {
    if event.change == .overflow {
      return WatchKey.Folder.allCases.map { WatchKey(folder: $0, name: nil) }
    }
    var keys = owners[event.directory]?.all ?? []
    if let folder = folders[event.directory] {
      keys.append(WatchKey(folder: folder, name: event.name.isEmpty ? nil : event.name))
    }
    if event.change == .directoryGone {
      for (point, waiting) in points where point.directory == event.directory {
        keys += waiting.all
      }
    } else if let waiting = points[Point(directory: event.directory, name: event.name)] {
      keys += waiting.all
    }
    return keys
  }

  private mutating func forget(_ directory: Int32) {
    watcher?.unwatch(directory)
    folders[directory] = nil
    owners[directory] = nil
    paths[directory] = nil
    wellKnowns.remove(directory)
    points = points.filter { $0.key.directory != directory }
  }

  /// Watches every place that decides where a path leads.
  private mutating func watchWay(to path: String, below root: String, for key: WatchKey) {
    var steps = linkSteps(of: path, below: root)
    // What changed on the way before it was watched was told to nobody: look until it is the same
    // way as before. It hardly ever takes a third look, and one that takes many changes again.
    for _ in 0..<16 {
      var hasNew = false
      for step in steps where watch(step, for: key) { hasNew = true }
      // Of directories that are watched for others already, what changes is known.
      if !hasNew { return }
      let again = linkSteps(of: path, below: root)
      if again == steps { return }
      steps = again
    }
  }

  /// Returns whether the step's directory was not watched before.
  private mutating func watch(_ step: LinkStep, for key: WatchKey) -> Bool {
    // What happens to a name in its own folder concerns it anyhow.
    let isOwn = step.name == key.name
    if isOwn, let root = roots[key.folder], root == step.directory { return false }
    guard let (directory, isNew) = watch(directory: step.directory, for: key) else { return false }
    if isOwn && folders[directory] == key.folder { return isNew }
    // So does all that happens in a folder that belongs to it.
    if case .one(key) = owners[directory] { return isNew }
    let point = Point(directory: directory, name: isOwn ? key.name ?? step.name : step.name)
    if points[point]?.insert(key) == nil { points[point] = .one(key) }
    return isNew
  }

  /// Watches a directory, and notes where it is; when that is impossible, the key is polled instead.
  private mutating func watch(
    directory path: String, for key: WatchKey
  ) -> (directory: Int32, isNew: Bool)? {
    guard let directory = add(directory: path, for: key) else { return nil }
    let isNew = !isKnown(directory)
    paths[directory] = path
    return (directory, isNew)
  }

  private func isKnown(_ directory: Int32) -> Bool {
    paths[directory] != nil || owners[directory] != nil
  }

  private mutating func add(directory path: String, for key: WatchKey) -> Int32? {
    guard watcher != nil else {
      polled.insert(key)
      return nil
    }
    do throws(SystemError) {
      let directory = try watcher?.watch(path)
      // Asked once of each.
      if let directory, isKnown(directory) { return directory }
      if isOnNetwork(path) {
        poll(key, because: "\(path) is on a network or user-space file system")
        return nil
      }
      return directory
    } catch {
      // What is not there is told of by its parent.
      if error.isNotFound { return nil }
      poll(
        key,
        because: error.isOutOfSpace
          ? "the limit of watches is reached (sysctl fs.inotify.max_user_watches)"
          : error.description)
      return nil
    }
  }

  private mutating func poll(_ key: WatchKey, because reason: String) {
    polled.insert(key)
    if pollingReason == nil { pollingReason = reason }
  }
}
