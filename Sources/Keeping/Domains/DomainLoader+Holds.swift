internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Losses that count only after an operator has confirmed them.
extension DomainLoader {
  var holds: [Hold] {
    folder.holds + (Array(hostHolds.values) + heldLists.map(\.hold)).sorted { $0.id < $1.id }
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
    let names = folder.before.missing.union(hostHolds.keys).union(heldLists.map(\.name))
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
    let hosts = hostHolds.filter { ids.contains($0.value.id) }
    for (name, hold) in hosts {
      states[name]?.devices = FolderDevices()
      outcome.confirmed.insert(hold.id)
    }
    var due = Set(hosts.keys)
    let lists = heldLists.filter { ids.contains($0.hold.id) }
    for (name, hold) in lists {
      self.lists[name]?.confirm()
      outcome.confirmed.insert(hold.id)
    }
    // The files of these entries were not confirmed.
    outcome += scan(lists.map(\.name), mode)
    if let (id, names) = folder.before.confirm(ids) {
      due.formUnion(names)
      outcome.confirmed.insert(id)
    }
    outcome += scan(due, ScanMode(isFinal: true, withdrawAfter: 0))
    return outcome
  }
}

extension Hold {
  /// The hold for a host folder that is empty, and on a different file system than before.
  init(otherDevice path: String, _ devices: FolderDevices, _ canConfirm: Bool) {
    let names = HoldNames(path, ["device \(devices.host) \(devices.wellKnown)"])
    self.init(
      id: names.id,
      fault: Diagnostic(
        .hostedFileUnreadable,
        "the folder is on another file system than before: it was mounted or unmounted",
        at: .init(path: path), help: "mount it as it was; \(confirming(names.id, canConfirm))"))
  }
}
