internal import Diagnostics
internal import Posix
internal import Settings

/// Keeps versions and names for the next start.
extension Maintenance {
  /// Writes and removes files, for a few milliseconds at a time.
  func keepVersions(milliseconds: Int64 = LoadingLimits.backgroundSlice) -> Outcome {
    var outcome = Outcome()
    let end = Clock.monotonicMilliseconds() + milliseconds
    while Clock.monotonicMilliseconds() < end, let key = kept.takeNext() {
      var entry = keptEntry(of: key)
      outcome.report.add([kept.write(key, entry)].compactMap(\.self))
      entry?.cleanseKey()
    }
    // The status shows what a restart would lose.
    outcome.isStatusDue = !kept.hasWork
    return outcome
  }

  private func keptEntry(of key: KeptKey) -> KeptEntry? {
    switch key {
    case .entry(let name): domains.keptEntry(of: name)
    case .certificate(let chain, let isIssued):
      certificates?.keptEntry(of: chain, isIssued: isIssued)
    }
  }

  /// Milliseconds until the known names are written; nil if they have not changed.
  func delayOfNames(_ now: Int64) -> Int64? {
    // Until the folder has been read once, the known names are those that the last run wrote.
    domains.folder.wasRead ? kept.delayOfNames(now: now) : nil
  }

  var areNamesDue: Bool { delayOfNames(Clock.monotonicMilliseconds()) == 0 }

  /// Writes the known names.
  func keepNames() -> Outcome {
    var outcome = Outcome()
    let names = domains.folder.names.unseen.union(domains.states.keys)
    let fault = kept.write(names, now: Clock.monotonicMilliseconds())
    outcome.report.add([fault].compactMap(\.self))
    return outcome
  }

  /// Keeps what has changed since the last time, when the server ends.
  func keepAtEnd() {
    kept.hurryNames()
    var outcome = Outcome()
    if areNamesDue { outcome += keepNames() }
    outcome += keepVersions(milliseconds: Self.longestEnd)
    if !outcome.report.isEmpty { report(outcome.report) }
  }

  /// Milliseconds for which the program's end waits until versions are kept.
  private static let longestEnd: Int64 = 1_000
}
