internal import Posix

/// The time of one turn of an event loop. Each turn reads only the monotonic clock, and computes
/// the wall-clock time from it. Somebody may set the wall clock. So the difference of the two
/// clocks is measured again if the last measurement is older than `tolerance`.
struct TurnClock {
  /// The time at the start of the turn, in nanoseconds of the monotonic clock.
  private(set) var nanoseconds: Int64
  /// The wall clock minus the monotonic clock, in nanoseconds.
  private var offset: Int64
  private var nextComparison: Int64

  /// The maximum time in nanoseconds for which the computed wall-clock time may be wrong, after
  /// somebody has set the wall clock.
  private static let tolerance: Int64 = 250_000_000

  init() {
    nanoseconds = Clock.monotonicNanoseconds()
    offset = Clock.wallNanoseconds() - nanoseconds
    nextComparison = nanoseconds + Self.tolerance
  }

  /// Begins a turn of the event loop: reads the clock.
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
