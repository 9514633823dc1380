internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings

/// Losses that count only after an operator has confirmed them.
extension DomainLoader {
  var holds: [Hold] {
    [folder.hold, holdOfBefore].compactMap(\.self) + hostHolds.values.sorted { $0.id < $1.id }
  }

  /// Lets the losses with these IDs count at once. Returns the IDs that were held.
  ///
  /// The folder is scanned before, because a loss that has grown since its ID was shown has another
  /// one.
  mutating func confirm(_ ids: Set<String>, _ outcome: inout Outcome) -> Set<String> {
    if !holds.contains(where: { ids.contains($0.id) }) { return [] }
    let mode = ScanMode(isFinal: true, threads: threads)
    scanFolder(mode, isWhole: false, including: heldBefore.union(hostHolds.keys), &outcome)
    withdrawMissing(&outcome)
    var confirmed: Set<String> = []
    if let id = folder.confirm(ids) {
      scanFolder(mode, isWhole: false, &outcome)
      withdrawMissing(&outcome)
      folder.release()
      confirmed.insert(id)
    }
    let hosts = hostHolds.filter { ids.contains($0.value.id) }
    for (name, hold) in hosts {
      states[name]?.devices = FolderDevices()
      confirmed.insert(hold.id)
    }
    var names = Array(hosts.keys)
    if let hold = holdOfBefore, ids.contains(hold.id) {
      names += heldBefore
      heldBefore = []
      confirmed.insert(hold.id)
    }
    scan(names, ScanMode(isFinal: true, withdrawAfter: 0), &outcome)
    return confirmed
  }
}

extension Hold {
  /// The empty folder of a host, in the place of one on another file system.
  init(otherDevice path: String, _ devices: FolderDevices) {
    let names = HoldNames(path, ["device \(devices.host) \(devices.wellKnown)"])
    self.init(
      id: names.id,
      fault: Diagnostic(
        .hostedFileUnreadable,
        "the folder is on another file system than before: it was mounted or unmounted",
        at: .init(path: path), help: "mount it as it was; \(confirming(names.id))"))
  }
}
