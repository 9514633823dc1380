internal import Posix

/// Which directories the kernel watches, and what to look at when something happens in them.
///
/// Events only say where to look sooner. Where the kernel says nothing (a network file system, no
/// watches left) the sweep finds the change.
struct WatchRegistry {
  /// The names in a directory that concern an owner.
  enum Names: Hashable, Sendable {
    case all
    /// Those that are read of a domain's folder.
    case ofDomain
  }

  private struct Owner: Hashable {
    let key: LookKey
    let names: Names
  }

  /// Nearly every directory has one owner.
  private enum Owners {
    case one(Owner)
    case many(Set<Owner>)

    mutating func insert(_ owner: Owner) {
      switch self {
      case .one(owner): return
      case .one(let first): self = .many([first, owner])
      case .many(var owners):
        // So that the set is not shared while it grows.
        self = .one(owner)
        owners.insert(owner)
        self = .many(owners)
      }
    }
  }

  /// What happened to what.
  struct Event {
    let key: LookKey
    /// The name in the domains folder, when that is where it happened.
    let name: String?
    /// Whoever wrote the name has finished.
    let isComplete: Bool
  }

  private var watcher: DirectoryWatcher?
  /// The directories in which every name has a key of its own.
  private var folders: [Int32: LookKey] = [:]
  private var owners: [Int32: Owners] = [:]
  /// Why the kernel does not watch everything; nil when it does.
  private(set) var shortage: String?
  /// Directories that could not be watched for want of watches.
  private(set) var unwatched = 0

  /// - Parameter isOff: do not ask the kernel at all.
  init(isOff: Bool) {
    if isOff || !DirectoryWatcher.isAvailable { return }
    do throws(SystemError) {
      watcher = try DirectoryWatcher()
    } catch {
      shortage = error.description
    }
  }

  /// Lets the poller wake up when there are events.
  func register(with poller: borrowing Poller, token: UInt64) throws(SystemError) {
    try watcher?.register(with: poller, token: token)
  }

  /// Watches a folder in which every name has a key of its own.
  mutating func watchFolder(_ path: String, as key: LookKey) {
    guard let directory = watch(path) else { return }
    if folders[directory] == key { return }
    // What stood here before is somewhere else now.
    for (other, known) in folders where known == key { folders[other] = nil }
    folders[directory] = key
  }

  /// Watches a directory in which names concern a key.
  mutating func watch(_ path: String, for key: LookKey, _ names: Names) {
    guard let directory = watch(path) else { return }
    let owner = Owner(key: key, names: names)
    if owners[directory]?.insert(owner) == nil { owners[directory] = .one(owner) }
  }

  private mutating func watch(_ path: String) -> Int32? {
    guard let watcher else { return nil }
    do throws(SystemError) {
      return try watcher.watch(path)
    } catch {
      if error.isOutOfSpace {
        unwatched += 1
        shortage = "the limit of watches is reached"
      }
      return nil
    }
  }

  /// Takes the events that came.
  mutating func takeEvents() -> [Event] {
    guard let watcher else { return [] }
    var result: [Event] = []
    while true {
      let events = watcher.takeEvents()
      if events.isEmpty { return result }
      for event in events { take(event, &result) }
    }
  }

  private mutating func take(_ event: DirectoryWatcher.Event, _ result: inout [Event]) {
    let isComplete = event.change == .written || event.change == .movedIn
    func add(_ key: LookKey, _ name: String? = nil) {
      result.append(Event(key: key, name: name, isComplete: isComplete))
    }
    if event.change == .overflow {
      add(.domainsFolder)
      add(.certificatesFolder)
      return
    }
    switch folders[event.directory] {
    case .domainsFolder where !event.name.isEmpty:
      add(LookKey(nameInDomains: event.name), event.name)
    case .certificatesFolder where !event.name.isEmpty: add(.certificate(event.name))
    case let key?: add(key)
    case nil: break
    }
    switch owners[event.directory] {
    case .one(let owner): if owner.names.contain(event.name) { add(owner.key) }
    case .many(let owners):
      for owner in owners where owner.names.contain(event.name) { add(owner.key) }
    case nil: break
    }
    if event.change == .directoryGone {
      watcher?.unwatch(event.directory)
      folders[event.directory] = nil
      owners[event.directory] = nil
    }
  }
}

extension WatchRegistry.Names {
  /// Whether something that happened to a name matters. An empty name is the directory itself.
  fileprivate func contain(_ name: String) -> Bool {
    switch self {
    case .all: true
    case .ofDomain:
      name.isEmpty || name == ".well-known" || name == "apple-app-site-association"
        || name == "assetlinks.json" || name.hasSuffix(".cases")
    }
  }
}
