internal import Catalog
internal import Posix

/// Losses of certificates that count only after an operator has confirmed them.
extension CertificateLoader {
  /// Lets the loss count at once if its ID is among these. Returns the ID; nil if it is not held.
  ///
  /// The folder is searched before, because a loss that has grown since its ID was shown has another
  /// one.
  mutating func confirm(_ ids: Set<String>, _ outcome: inout Outcome) -> String? {
    guard let hold = folder.hold, ids.contains(hold.id) else { return nil }
    scan([], isFinal: true, &outcome)
    withdrawMissing(&outcome)
    guard let id = folder.confirm(ids) else { return nil }
    scan([], isFinal: true, &outcome)
    withdrawMissing(&outcome)
    folder.release()
    generation += 1
    return id
  }
}
