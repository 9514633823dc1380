internal import Posix

/// The time of one turn of an event loop. Each turn reads only the monotonic clock, and computes
/// the wall-clock time from it. Occasionally the result is compared with the wall clock, because
/// somebody may set that clock.
struct TurnClock {
  /// The time at the start of the turn, in nanoseconds of the monotonic clock.
  private(set) var nanoseconds: Int64
  /// The wall clock minus the monotonic clock, in nanoseconds.
  private var offset: Int64
  private var nextComparison: Int64

  /// The maximum time for which the computed wall clock may be wrong after somebody sets the clock,
  /// in nanoseconds.
  private static let tolerance: Int64 = 250_000_000

  init() {
    nanoseconds = Clock.monotonicNanoseconds()
    offset = Clock.wallNanoseconds() - nanoseconds
    nextComparison = nanoseconds + Self.tolerance
  }

  /// Begins a turn.
  mutating func advance() {
    nanoseconds = Clock.monotonicNanoseconds()
    if nanoseconds < nextComparison { return }
    offset = Clock.wallNanoseconds() - nanoseconds
    nextComparison = nanoseconds + Self.tolerance
  }

  /// The time at the start of the turn, in milliseconds of the monotonic clock.
  var milliseconds: Int64 { nanoseconds / 1_000_000 }
  /// The time at the start of the turn, in seconds since 1970.
  var wallSeconds: Int64 { wallNanoseconds / 1_000_000_000 }
  /// The time at the start of the turn, in nanoseconds since 1970.
  var wallNanoseconds: Int64 { nanoseconds + offset }
}
