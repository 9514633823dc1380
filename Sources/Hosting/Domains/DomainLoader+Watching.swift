internal import Posix

/// Finding what changed unseen.
extension DomainLoader {
  /// The entries whose files are no more what was read: for finding what changed unseen.
  func staleEntries() -> [DomainFolder.Entry] {
    let states = states.all
    let reader = reader
    return inParallel(
      states.count, slice: LoadingLimits.slice,
      threads: states.count <= entriesAtOnce ? 1 : threads
    ) { slice -> [DomainFolder.Entry] in
      do throws(SystemError) {
        let directory = try Directory(reader.root)
        var stale: [DomainFolder.Entry] = []
        for state in states[slice] {
          let entry = state.entry
          if reader.fingerprint(of: entry, in: directory) != state.fingerprint {
            stale.append(entry)
          }
        }
        return stale
      } catch {
        return []
      }
    }.flatMap(\.self)
  }

  func isStale(_ entry: DomainFolder.Entry) -> Bool {
    guard let directory = try? Directory(root) else { return false }
    return reader.fingerprint(of: entry, in: directory) != states[entry.name]?.fingerprint
  }

  /// The names that make other entries than when the folder was read; nil when the folder itself
  /// can be read now and could not be then, or the other way round.
  func changedNames() -> Set<String>? {
    guard let folder = try? DomainFolder(listing: root) else {
      return isFolderReadable ? nil : []
    }
    if !isFolderReadable { return nil }
    var names: Set<String> = []
    for (name, entry) in folder.entries {
      let before = states[name]?.entry
      if entry != before { names.formUnion(entry.names + (before?.names ?? [])) }
    }
    for state in states.all where folder.entries[state.entry.name] == nil {
      names.formUnion(state.entry.names)
    }
    return names
  }

  /// Hashes of the contents as they are now, for finding changes by content.
  ///
  /// - Parameter names: names in the folder; nil for all.
  func observe(_ names: Set<String>?, into observations: inout [WatchKey: Int]) {
    guard let folder = try? DomainFolder(listing: root) else { return }
    for entry in folder.entries.values {
      for part in entry.names where names?.contains(part) ?? true {
        observations[WatchKey(folder: .domains, name: part)] = reader.contentHash(of: entry)
      }
    }
  }
}
