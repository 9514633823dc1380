internal import Posix
internal import Settings

/// Does work that is due at certain times.
extension Maintenance {
  /// Withdraws files that have been missing for long enough, replaces ticket keys, and warns about
  /// certificates that expire soon. If a certificate has become valid or has expired, the next
  /// catalog chooses among the certificates again.
  func runTimedWork(_ outcome: inout Outcome) {
    let start = Clock.monotonicMilliseconds()
    if let time = domains.keeper.nextWithdrawal, time <= start {
      outcome += domains.run(.time)
      outcome.isStatusDue = true
    }
    if certificates == nil { return }
    if let time = certificates?.nextWithdrawal, time <= start {
      outcome += certificates?.inEach { $0.run(.time) }
      outcome.isStatusDue = true
    }
    // Read the clock again. A withdrawal can take long, and if `start` were used below, somebody
    // would seem to have set the clock.
    let now = Clock.monotonicMilliseconds()
    if timers.take(\.nextRotation, now: now, next: now + options.ticketRotation) {
      catalog.rotateTicketKeys()
      outcome.changes.materialChanged = true
    }
    if timers.takeClockStep(wall: Clock.wallMilliseconds(), now: now) {
      // Somebody has set the clock, so other certificates may be valid now.
      certificates?.forgetFiles()
      outcome += certificates?.scan([])
      outcome.changes.materialChanged = true
    }
    let isChangeDue = timers.take(\.nextChangeOfDates, now: now, next: .max)
    if isChangeDue { outcome.changes.materialChanged = true }
    let nextCheck = now + MaintenanceTimers.dateCheckPause
    if timers.take(\.nextDateCheck, now: now, next: nextCheck) || isChangeDue {
      outcome += certificates?.inEach { $0.keeper.reportDates(at: .now()) }
    }
  }
}
