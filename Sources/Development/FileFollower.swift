internal import Keeping
internal import Posix
internal import Settings
internal import Synchronization

/// Reports changes to files, including the targets of symbolic links. Uses events from the system.
/// Also polls the files, because some systems report no events.
final class FileFollower: Sendable {
  private let paths: [String]
  private let changed: @Sendable (String) -> Void
  private let wakeup: Wakeup
  private let isStopping = Atomic<Bool>(false)
  private let thread = Mutex<Thread?>(nil)

  /// - Parameter changed: Called on the follower's thread with the path of each changed file.
  init(
    _ paths: [String], changed: @escaping @Sendable (String) -> Void
  ) throws(SystemError) {
    self.paths = paths
    self.changed = changed
    wakeup = try Wakeup()
  }

  /// Starts following the files. Immediately reports each file whose status differs from the status
  /// in `known`.
  func start(known: [FileStatus?]) throws(SystemError) {
    let started = try Thread(named: "files") { [self] in
      do throws(SystemError) {
        try follow(known)
      } catch {
        printError("warning: file changes are not noticed: \(error)")
      }
    }
    thread.withLock { $0 = started }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeup.signal()
    thread.withLock { $0 }?.join()
  }

  private func follow(_ known: [FileStatus?]) throws(SystemError) {
    var poller = try Poller(capacity: 8)
    try poller.add(wakeup.descriptor, token: 0, interest: .read)
    let watcher = try? DirectoryWatcher()
    try watcher?.register(with: poller, token: 1)
    var known = known
    while true {
      watchWays(watcher)
      for (index, path) in paths.enumerated() {
        let found = try? status(path)
        if found == known[index] { continue }
        known[index] = found
        changed(path)
      }
      _ = poller.wait(milliseconds: DevLimits.polling)
      if isStopping.load(ordering: .acquiring) { return }
      settle(&poller, watcher)
      if isStopping.load(ordering: .acquiring) { return }
    }
  }

  /// After an event, waits until the program that changed the file has probably written all of it.
  private func settle(_ poller: inout Poller, _ watcher: DirectoryWatcher?) {
    guard let watcher else { return }
    for _ in 0..<20 where !watcher.takeEvents().isEmpty {
      if isStopping.load(ordering: .acquiring) { return }
      _ = poller.wait(milliseconds: DevLimits.settling)
    }
  }

  /// Watches the folder of each file. If a file is a symbolic link, also watches the folder of the
  /// link's target. Continues to watch the folders of earlier targets. If a folder cannot be
  /// watched, polling still finds its changes.
  private func watchWays(_ watcher: DirectoryWatcher?) {
    guard let watcher else { return }
    for path in paths {
      _ = try? watcher.watch(parentFolder(path))
      if let target = linkTargetFolder(path) { _ = try? watcher.watch(target) }
    }
  }
}
