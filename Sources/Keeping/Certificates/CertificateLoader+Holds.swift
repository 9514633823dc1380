internal import Catalog
internal import Posix

/// Losses of certificates that count only after an operator has confirmed them.
extension CertificateLoader {
  var holds: [Hold] {
    folder.holds + changes.values.map(\.hold).sorted { $0.id < $1.id }
  }

  /// Lets the losses with these IDs count at once. Returns the IDs that were held.
  ///
  /// The folder is searched first, because a loss that has grown since its ID was shown has another
  /// ID.
  mutating func confirm(_ ids: Set<String>, _ outcome: inout Outcome) -> Set<String> {
    if !holds.contains(where: { ids.contains($0.id) }) { return [] }
    scan([], isFinal: true, &outcome)
    withdrawMissing(&outcome)
    var confirmed = confirmChanges(ids)
    if !confirmed.isEmpty { scan([], isFinal: true, &outcome) }
    if let (id, chains) = folder.before.confirm(ids) {
      for chain in chains.sorted() { withdraw(chain, &outcome) }
      confirmed.insert(id)
    }
    if let id = folder.confirm(ids) {
      scan([], isFinal: true, &outcome)
      withdrawMissing(&outcome)
      folder.release()
      confirmed.insert(id)
    }
    generation += 1
    return confirmed
  }
}
