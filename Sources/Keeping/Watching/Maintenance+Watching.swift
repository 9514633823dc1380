internal import Posix
internal import Rules
internal import Settings

/// Watches directories on other threads, because a file system may never answer.
extension Maintenance {
  /// Takes the kernel's events, and plans scans of what has changed in the watched directories.
  ///
  /// Ignores events about temporary files, for example the files that `rsync` writes and then
  /// renames. Otherwise, each of them would make the server list the folder.
  func takeEvents() {
    let now = Clock.monotonicMilliseconds()
    let events = registry.takeEvents()
    let ignored = Set(events.compactMap(\.name)).filter {
      NameClass($0, isDirectory: false) == .ignored && $0 != VerdictPolicy.fileName
    }
    var temporary: Set<String>?
    if !ignored.isEmpty {
      temporary = domains.work.result(domains.root) { [root = domains.root] in
        guard let directory = try? Directory(root) else { return [] }
        return ignored.filter { name in
          switch directory.find(name) {
          // Do not ignore a link, because a link can point to served files, like the link `..data`
          // in a Kubernetes ConfigMap.
          case .link, .unknown: false
          case .nothing: true
          case .other: (try? directory.status(name).kind) == .regular
          }
        }
      }
    }
    for event in events {
      if event.key == .stateFolder {
        confirmations.note(isComplete: event.isComplete)
        continue
      }
      if let name = event.name, temporary?.contains(name) == true { continue }
      agenda.plan(event.key, named: event.name, isComplete: event.isComplete, now: now)
    }
  }

  /// Watches the domains folder, the state folder, and the certificates folders with their
  /// subfolders.
  func watchFolders() {
    watchFolder(domains.root, as: .domainsFolder, domains.work)
    if let watcher = registry.watcher, let found = confirmations.watch(with: watcher) {
      registry.note(found, for: .stateFolder, .confirmation)
    }
    for (index, loader) in (certificates?.all ?? []).enumerated() {
      watchFolder(
        loader.root, as: index == 0 ? .certificatesFolder : .issuedFolder, loader.work)
      guard let watcher = registry.watcher,
        let folders = certificates?.all[index].takeUnwatched()
      else { continue }
      let found = loader.work.results(
        folders.count, slice: folders.count, path: { folders[$0].path },
        body: { range, deliver in
          for folder in folders[range] { if !deliver(watcher.tryToWatch(folder.path)) { return } }
        })
      for (folder, result) in zip(folders, found) {
        if let result { registry.note(result, for: .certificate(folder.name), .all) }
      }
    }
  }

  func watchFolder(_ path: String, as key: ScanKey, _ work: HangTolerantPool) {
    guard let watcher = registry.watcher else { return }
    if let found = work.result(path, { watcher.tryToWatch(path) }) {
      registry.note(found, folderOf: key)
    }
  }

  /// Watches the folders that contain the files of domains.
  func watch(_ names: some Collection<DomainName>) {
    guard let watcher = registry.watcher else { return }
    let known = names.compactMap { name in
      domains.keeper.items[name].map { (entry: $0.entry, places: $0.places) }
    }
    let (observer, isStopping) = (domains.keeper.reader.observer, domains.isStopping)
    let found = domains.work.results(
      known.count, slice: known.count, path: { observer.path(of: known[$0].entry) },
      body: { range, deliver in
        for (entry, places) in known[range] where !isStopping() {
          let folders = observer.directories(of: entry, places).map { path, isOwn in
            (result: watcher.tryToWatch(path), isOwn: isOwn)
          }
          if !deliver(folders) { return }
        }
      })
    let time = Clock.monotonicMilliseconds() + LoadingLimits.hangingPause
    for (known, folders) in zip(known, found) {
      let key = ScanKey.domain(known.entry.name)
      guard let folders else {
        // The folder could not be watched, because its file system does not answer. Try again after
        // a pause.
        agenda.plan(key, at: time)
        continue
      }
      for (result, isOwn) in folders { registry.note(result, for: key, isOwn ? .ofDomain : .all) }
    }
  }
}
