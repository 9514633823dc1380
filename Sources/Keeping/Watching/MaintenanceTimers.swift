internal import Settings

/// The times of maintenance work that is due by the clock.
struct MaintenanceTimers {
  /// When ticket keys are next replaced, in milliseconds of the monotonic clock.
  var nextRotation: Int64
  /// When certificates are next checked for those that expire soon.
  var nextDateCheck: Int64
  /// When the choice among certificates may change, because one becomes valid or expires.
  var nextChangeOfDates = Int64.max
  /// Whether the operator was informed that the kernel does not report all changes.
  var isShortageReported = false
  /// When findings of background work may be reported again.
  var nextReport: Int64 = 0
  /// The wall clock minus the monotonic clock, in milliseconds, at the last check or at the start.
  private var clockOffset: Int64

  /// Milliseconds between two checks of the certificates' dates.
  static let dateCheckPause: Int64 = 3_600_000
  /// Milliseconds between two reports of findings of background work.
  static let reportPause: Int64 = 1_000
  /// Milliseconds by which the wall clock must jump to count as set.
  private static let clockStep: Int64 = 2_000

  /// Create it before reading any file, so that anything judged by the clock is checked again if
  /// the clock is set.
  ///
  /// - Parameters:
  ///   - wall: Milliseconds since 1970.
  ///   - now: Milliseconds of the monotonic clock.
  init(_ options: HostingOptions, wall: Int64, now: Int64) {
    clockOffset = wall - now
    // Without HTTPS there are no tickets.
    let hasHTTPS = options.certificates != nil
    nextRotation = hasHTTPS ? now + options.ticketRotation : .max
    nextDateCheck = hasHTTPS ? now + Self.dateCheckPause : .max
  }

  func delay(now: Int64) -> Int64 {
    max(0, min(nextRotation, nextDateCheck, nextChangeOfDates) - now)
  }

  /// Whether some work is due. If so, it is due next at another time.
  mutating func take(
    _ timer: WritableKeyPath<MaintenanceTimers, Int64>, now: Int64, next: Int64
  ) -> Bool {
    if now < self[keyPath: timer] { return false }
    self[keyPath: timer] = next
    return true
  }

  /// Whether the wall clock was set since the last call, or the machine slept.
  ///
  /// - Parameters:
  ///   - wall: Milliseconds since 1970.
  ///   - now: Milliseconds of the monotonic clock.
  mutating func takeClockStep(wall: Int64, now: Int64) -> Bool {
    defer { clockOffset = wall - now }
    return abs(wall - now - clockOffset) > Self.clockStep
  }
}
