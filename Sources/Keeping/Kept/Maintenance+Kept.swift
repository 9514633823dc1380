internal import Diagnostics
internal import Posix
internal import Settings

/// Keeps versions and names for the next start.
extension Maintenance {
  /// Hands over what a restart would lose, for the status too.
  func keepVersions() {
    var wishes = domains.keeper.atRisk
    certificates?.all[0].keeper.addRisks(to: &wishes, at: .now())
    wishes.owners = catalog.owners
    // Until the folder has been read once, the known names are those that the last run wrote.
    let areNamesNew = areNamesNew && domains.keeper.folder.wasRead
    if areNamesNew { self.areNamesNew = false }
    let names =
      areNamesNew ? Array(domains.keeper.folder.names.unseen.union(domains.keeper.items.keys)) : nil
    kept?.keep(wishes, names: names)
    status.publish(
      domains.keeper, certificates, catalog, unkept: kept?.lost(of: wishes) ?? wishes.files.count,
      keptCertificates: kept?.certificates ?? 0)
  }

  /// Takes what the thread of the kept versions has found.
  func takeNewsOfKept() -> Outcome {
    var outcome = Outcome()
    guard let news = kept?.takeNews() else { return outcome }
    outcome.report.add(news)
    outcome.isStatusDue = true
    return outcome
  }

  /// Keeps what has changed since the last time, when the server ends.
  func keepAtEnd() {
    keepVersions()
    kept?.finish()
    let report = takeNewsOfKept().report
    hasKeepingHung = kept?.stop() == false
    if !report.isEmpty { self.report(report) }
  }
}
