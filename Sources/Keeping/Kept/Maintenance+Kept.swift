internal import Diagnostics
internal import Posix
internal import Settings

/// Keeps versions and names for the next start.
extension Maintenance {
  /// What a restart would lose.
  var atRisk: KeptWishes { domains.atRisk + (certificates?.atRisk ?? KeptWishes()) }

  /// Milliseconds until the known names are written; nil if they have not changed.
  func delayOfNames(_ now: Int64) -> Int64? {
    // Until the folder has been read once, the known names are those that the last run wrote.
    domains.folder.wasRead ? kept.delayOfNames(now: now) : nil
  }

  /// Takes what the thread of the kept versions has found, and hands it changed names.
  func keepNames() -> Outcome {
    var outcome = Outcome()
    if let news = kept.takeNews() {
      outcome.report.add(news.diagnostics)
      outcome.isStatusDue = true
      if let ids = news.confirmations { outcome += confirmByFile(ids) }
    }
    handOverNames()
    return outcome
  }

  private func handOverNames() {
    guard delayOfNames(Clock.monotonicMilliseconds()) == 0 else { return }
    kept.keep(names: Array(domains.folder.names.unseen.union(domains.states.keys)))
  }

  /// Keeps at once what was confirmed, so that a kill does not bring it back.
  func keepConfirmed() {
    kept.hurryNames()
    handOverNames()
    if kept.hang == nil { kept.finish(milliseconds: KeepingLimits.longestEnd) }
  }

  /// Keeps what has changed since the last time, when the server ends.
  func keepAtEnd() {
    kept.hurryNames()
    var outcome = keepNames()
    kept.keep(atRisk)
    kept.finish(milliseconds: KeepingLimits.longestEnd)
    outcome += keepNames()
    hasKeepingHung = !kept.stop()
    if !outcome.report.isEmpty { report(outcome.report) }
  }
}
