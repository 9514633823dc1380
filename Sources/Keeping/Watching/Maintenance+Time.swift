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
      outcome += certificates?.scan()
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

/// The times at which scheduled maintenance work is due.
struct MaintenanceTimers {
  /// When to replace the ticket keys next, in milliseconds of the monotonic clock.
  var nextRotation: Int64
  /// When to check next whether certificates expire soon, in milliseconds of the monotonic clock.
  var nextDateCheck: Int64
  /// When the server may have to choose among its certificates again, because a certificate becomes
  /// valid or expires. In milliseconds of the monotonic clock.
  var nextChangeOfDates = Int64.max
  /// Whether the operator was told that the kernel does not report all changes.
  var isShortageReported = false
  /// The next time at which findings of background work may be reported.
  var nextReport: Int64 = 0
  /// The wall clock minus the monotonic clock, in milliseconds, at the last check or at the start.
  private var clockOffset: Int64

  /// Milliseconds between two checks of the certificates' dates.
  static let dateCheckPause: Int64 = 3_600_000
  /// Milliseconds between two reports of findings of background work.
  static let reportPause: Int64 = 1_000
  /// If `clockOffset` changes by more than this many milliseconds, somebody has set the wall clock.
  private static let clockStep: Int64 = 2_000

  /// Create the timers before any file is read. Then a change of the clock after a read is
  /// detected, and everything that depends on the time is checked again.
  ///
  /// - Parameters:
  ///   - wall: Milliseconds since 1970.
  ///   - now: Milliseconds of the monotonic clock.
  init(_ options: HostingOptions, wall: Int64, now: Int64) {
    clockOffset = wall - now
    // If HTTPS is off, there are no ticket keys to replace and no certificates to check.
    let hasHTTPS = options.certificates != nil
    nextRotation = hasHTTPS ? now + options.ticketRotation : .max
    nextDateCheck = hasHTTPS ? now + Self.dateCheckPause : .max
  }

  func delay(now: Int64) -> Int64 {
    max(0, min(nextRotation, nextDateCheck, nextChangeOfDates) - now)
  }

  /// Returns whether the work of a timer is due. If the work is due, sets the timer to `next`.
  mutating func take(
    _ timer: WritableKeyPath<MaintenanceTimers, Int64>, now: Int64, next: Int64
  ) -> Bool {
    if now < self[keyPath: timer] { return false }
    self[keyPath: timer] = next
    return true
  }

  /// Returns whether, since the last call, somebody has set the wall clock or the machine has
  /// slept.
  ///
  /// - Parameters:
  ///   - wall: Milliseconds since 1970.
  ///   - now: Milliseconds of the monotonic clock.
  mutating func takeClockStep(wall: Int64, now: Int64) -> Bool {
    defer { clockOffset = wall - now }
    return abs(wall - now - clockOffset) > Self.clockStep
  }
}
