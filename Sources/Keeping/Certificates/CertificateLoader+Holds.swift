internal import Catalog
internal import Diagnostics
internal import Posix

/// Losses of certificates that count only after an operator has confirmed them.
extension CertificateLoader {
  var holds: [Hold] {
    [folder.hold].compactMap(\.self) + changes.values.map(\.hold).sorted { $0.id < $1.id }
  }

  /// Applies the losses with these IDs at once, if they are held.
  ///
  /// The folder is searched first, because a loss that has grown since its ID was shown has another
  /// ID.
  mutating func confirm(_ ids: Set<String>) -> Outcome {
    if !holds.contains(where: { ids.contains($0.id) }) { return Outcome() }
    var outcome = scan([], isFinal: true)
    // While the folder does not answer, it is not known what is missing.
    if isWaiting { return outcome }
    outcome += withdrawMissing()
    outcome.confirmed = confirmChanges(ids)
    if !outcome.confirmed.isEmpty { outcome += scan([], isFinal: true) }
    if let id = folder.confirm(ids) {
      outcome += scan([], isFinal: true)
      outcome += withdrawMissing()
      folder.release()
      outcome.confirmed.insert(id)
    }
    generation += 1
    return outcome
  }

  // MARK: Faults of files that are missing now

  /// Forgets faults of certificates whose files are all missing from a folder that cannot be
  /// trusted, because the hold reports them.
  mutating func forgetFaults(ofMissingIn search: CertificateSearch) {
    let found = CertificateFolder(root: root, paths: search.paths)
    let present = Set(found.entries.map(\.chain))
    let gone = states.filter { !present.contains($0.key) }
    if gone.isEmpty { return }
    let keys = found.keysWithoutChain(among: search.paths)
    for (chain, state) in gone where search.obstacle(to: chain) == nil {
      if let key = state.entry.key, keys.contains(key) { continue }
      forgetFault(ofMissing: chain)
    }
  }

  /// Forgets that a file of the certificate cannot be read, or that its key is still there.
  mutating func forgetFault(ofMissing chain: String) {
    guard let problem = problems[chain],
      problem.diagnostics.contains(where: { $0.isOf(.certificateFileUnreadable) })
    else { return }
    problems.set(
      chain, problem.diagnostics.filter { !$0.isOf(.certificateFileUnreadable) },
      isLastGood: problem.isLastGood)
    generation += 1
  }
}
