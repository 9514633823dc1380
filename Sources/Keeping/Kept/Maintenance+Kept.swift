
/// Keeps versions and names for the next start.
extension Maintenance {
  /// Determines which served versions a restart would lose, passes them to the thread that keeps
  /// versions, and publishes the status.
  func keepVersions() {
    var wishes = domains.keeper.atRisk
    certificates?.all[0].keeper.addRisks(to: &wishes, at: .now())
    wishes.owners = catalog.owners
    // Until this run has read the folder for the first time, the names that the last run wrote stay
    // on the disk.
    let areNamesNew = areNamesNew && domains.keeper.folder.wasRead
    if areNamesNew { self.areNamesNew = false }
    let names =
      areNamesNew ? Array(domains.keeper.folder.names.unseen.union(domains.keeper.items.keys)) : nil
    kept?.keep(wishes, names: names)
    status.publish(
      domains.keeper, certificates, catalog, unkept: kept?.lost(of: wishes) ?? wishes.files.count,
      keptCertificates: kept?.certificates ?? 0)
  }

  /// Takes the diagnostics of the thread that keeps versions.
  func takeNewsOfKept(_ outcome: inout Outcome) {
    guard let news = kept?.takeNews() else { return }
    outcome.report.add(news)
    outcome.isStatusDue = true
  }

  /// Called when the server exits. Writes what has changed since the last call of `keepVersions`.
  func keepAtEnd() {
    keepVersions()
    kept?.finish()
    var outcome = Outcome()
    takeNewsOfKept(&outcome)
    hasKeepingHung = kept?.stop() == false
    if !outcome.report.isEmpty { report(outcome.report) }
  }
}
