internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Losses that count only after an operator has confirmed them.
extension DomainLoader {
  var holds: [Hold] {
    [folder.hold].compactMap(\.self) + heldLists.map(\.hold).sorted { $0.id < $1.id }
  }

  /// The lists with too many missing hosts.
  private var heldLists: [(name: DomainName, hold: Hold)] {
    lists.compactMap { name, list in list.hold.map { (name, $0) } }
  }

  /// Applies the losses with these IDs at once, if they are held.
  ///
  /// The folder is scanned first, because a loss that has grown since its ID was shown has a new
  /// ID.
  mutating func confirm(_ ids: Set<String>) -> Outcome {
    if !holds.contains(where: { ids.contains($0.id) }) { return Outcome() }
    let mode = ScanMode(isFinal: true, threads: threads)
    let names = folder.names.unseen.union(heldLists.map(\.name))
    var outcome = scanFolder(mode, isWhole: false, including: names)
    // While the folder does not answer, nobody can tell what is missing.
    if isWaiting { return outcome }
    outcome += withdrawMissing()
    if let id = folder.confirm(ids) {
      outcome += scanFolder(mode, isWhole: false)
      outcome += withdrawMissing()
      folder.release()
      outcome.confirmed.insert(id)
    }
    let lists = heldLists.filter { ids.contains($0.hold.id) }
    for (name, hold) in lists {
      let gone = self.lists[name]?.confirm(at: Clock.monotonicMilliseconds()) ?? []
      outcome.report.removed += gone.map(\.description)
      outcome.changes.namesChanged = true
      outcome.confirmed.insert(hold.id)
    }
    // The files of these entries were not confirmed.
    outcome += scan(lists.map(\.name), mode)
    return outcome
  }
}
