internal import Catalog
internal import Diagnostics
internal import Posix
internal import Settings
internal import TLS

/// Publishes the states to the event loops and to readers of the status.
extension Maintenance {
  func makeCatalog(_ changes: CatalogChanges, _ report: inout Report) -> Catalog {
    let made = catalog.make(changes, domains, certificates, &report)
    status.hasSelfSigned = catalog.servesSelfSigned
    certificates?.all[0].catalog = made
    if certificates != nil, changes.materialChanged || report.isFirst {
      let now = Clock.monotonicMilliseconds()
      timers.nextChangeOfDates =
        certificates?.nextChangeOfDates.map { now + ($0 - Clock.wallSeconds()) * 1000 } ?? .max
    }
    return made
  }

  /// Does what is due by the clock: new ticket keys, another choice among certificates, warnings
  /// about certificates that expire soon.
  func keepTime() -> Outcome {
    var outcome = Outcome()
    if certificates == nil { return outcome }
    let now = Clock.monotonicMilliseconds()
    if timers.takeRotation(now: now, pause: options.ticketRotation) {
      catalog.rotateTicketKeys()
      outcome.changes.materialChanged = true
    }
    if timers.takeClockStep(wall: Clock.wallMilliseconds(), now: now) {
      // Other dates are valid now.
      certificates?.forgetFiles()
      outcome += certificates?.scan([])
      outcome.changes.materialChanged = true
    }
    let isChangeDue = timers.takeChangeOfDates(now: now)
    if isChangeDue { outcome.changes.materialChanged = true }
    if timers.takeDateCheck(now: now) || isChangeDue {
      outcome += certificates?.inEach { $0.reportDates() }
    }
    return outcome
  }
}
