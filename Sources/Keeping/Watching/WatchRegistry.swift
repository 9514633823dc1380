internal import Posix
internal import Rules
internal import Settings

/// The directories that the kernel watches, and what to scan after an event in each of them.
///
/// Events only make scans happen sooner. The kernel might not report a change, for example on a
/// network file system, or if the limit of watches is reached. The regular scan finds such a
/// change.
struct WatchRegistry {
  /// The names in a directory for which an event starts a scan.
  enum Names: Hashable, Sendable {
    case all
    /// The names that are read in the folder of a domain.
    case ofDomain
    /// The file `confirm`, with which an operator confirms holds.
    case confirmation
  }

  private struct Owner: Hashable {
    let key: ScanKey
    let names: Names
  }

  /// An event, and the key that must be scanned because of the event.
  struct Event {
    let key: ScanKey
    /// The changed name in the domains folder; nil if the event is not about a name in the domains
    /// folder.
    let name: String?
    /// Whether the file is completely written.
    let isComplete: Bool
  }

  private let wellKnown: WellKnownFiles
  /// The watcher of directories; nil if the server does not use the kernel's events.
  private(set) var watcher: DirectoryWatcher?
  /// The watched folders in which each name has its own scan key. The dictionary's key is the
  /// number by which the watcher identifies the folder.
  private var folders: [Int32: ScanKey] = [:]
  /// What to scan after an event in a directory. Nearly every directory has only one owner, so the
  /// others are stored separately, to save memory.
  private var owners: [Int32: Owner] = [:]
  private var otherOwners: [Int32: Set<Owner>] = [:]
  /// Why the kernel does not watch all directories; nil if it watches all of them.
  private(set) var shortage: String?
  /// The number of directories that are not watched because the kernel's limit of watches is
  /// reached.
  private(set) var unwatched = 0

  /// - Parameter isOff: Whether the kernel's events are not used.
  init(isOff: Bool, wellKnown: WellKnownFiles = WellKnownFiles()) {
    self.wellKnown = wellKnown
    if isOff || !DirectoryWatcher.isAvailable { return }
    do throws(SystemError) {
      watcher = try DirectoryWatcher()
    } catch {
      shortage = error.description
    }
  }

  /// Stores a watched folder in which each name has its own scan key.
  mutating func note(_ result: DirectoryWatcher.Result, folderOf key: ScanKey) {
    guard let directory = number(result) else { return }
    if folders[directory] == key { return }
    // The folder that had this key before was moved or removed, so forget it.
    for (other, known) in folders where known == key { folders[other] = nil }
    folders[directory] = key
  }

  /// Stores a watched directory. In this directory, an event about one of `names` starts a scan of
  /// `key`.
  mutating func note(_ result: DirectoryWatcher.Result, for key: ScanKey, _ names: Names) {
    guard let directory = number(result) else { return }
    let owner = Owner(key: key, names: names)
    let first = owners[directory] ?? owner
    owners[directory] = first
    if owner != first { otherOwners[directory, default: []].insert(owner) }
  }

  private mutating func number(_ result: DirectoryWatcher.Result) -> Int32? {
    if case .failure(let error) = result, error.isOutOfSpace {
      unwatched += 1
      shortage = "the kernel's limit of watches is reached"
    }
    return try? result.get()
  }

  /// Removes and returns the pending events.
  mutating func takeEvents() -> [Event] {
    var result: [Event] = []
    while let events = watcher?.takeEvents(), !events.isEmpty {
      for event in events {
        let isComplete = event.change == .written || event.change == .movedIn
        func add(_ key: ScanKey, _ name: String? = nil) {
          result.append(Event(key: key, name: name, isComplete: isComplete))
        }
        if event.change == .overflow {
          add(.domainsFolder)
          add(.certificatesFolder)
          continue
        }
        switch folders[event.directory] {
        case .domainsFolder where !event.name.isEmpty:
          add(ScanKey(nameInDomains: event.name), event.name)
        case .certificatesFolder where !event.name.isEmpty,
          .issuedFolder where !event.name.isEmpty:
          add(.certificate(event.name))
        case let key?: add(key)
        case nil: break
        }
        let others = otherOwners[event.directory] ?? []
        for owner in others.union([owners[event.directory]].compactMap(\.self))
        where owner.names.contain(event.name, wellKnown) { add(owner.key) }
        if event.change == .directoryGone {
          watcher?.unwatch(event.directory)
          folders[event.directory] = nil
          owners[event.directory] = nil
          otherOwners[event.directory] = nil
        }
      }
    }
    return result
  }
}

extension DirectoryWatcher {
  typealias Result = Swift.Result<Int32, SystemError>

  /// Watches a directory. The call may block forever, because the file system may not answer.
  func tryToWatch(_ path: String) -> Result {
    Result { () throws(SystemError) in try watch(path) }
  }
}

extension WatchRegistry.Names {
  /// Whether an event about a name starts a scan. If the name is empty, the event is about the
  /// directory itself.
  fileprivate func contain(_ name: String, _ wellKnown: WellKnownFiles) -> Bool {
    switch self {
    case .all: true
    case .confirmation: name == Confirmations.name
    case .ofDomain:
      name.isEmpty || name == ".well-known" || name == VerdictPolicy.fileName
        || name.hasSuffix(".cases") || name == WellKnownFile.page.name
        || wellKnown.numbers[name] != nil
    }
  }
}
