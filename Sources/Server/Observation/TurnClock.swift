internal import Posix

/// The time of one turn of an event loop, taken once: the wall clock's is reckoned from the
/// monotonic clock's, and compared with it now and then, for it can be set.
struct TurnClock {
  /// Nanoseconds of the monotonic clock at the turn's start.
  private(set) var nanoseconds: Int64
  /// What the wall clock is ahead of the monotonic one.
  private var offset: Int64
  private var nextComparison: Int64

  /// How long the wall clock may be wrong after it was set.
  private static let tolerance: Int64 = 250_000_000

  init() {
    nanoseconds = Clock.monotonicNanoseconds()
    offset = Clock.wallNanoseconds() - nanoseconds
    nextComparison = nanoseconds + Self.tolerance
  }

  /// A turn begins.
  mutating func advance() {
    nanoseconds = Clock.monotonicNanoseconds()
    if nanoseconds < nextComparison { return }
    offset = Clock.wallNanoseconds() - nanoseconds
    nextComparison = nanoseconds + Self.tolerance
  }

  /// Of the monotonic clock.
  var milliseconds: Int64 { nanoseconds / 1_000_000 }
  /// Since 1970.
  var wallSeconds: Int64 { wallNanoseconds / 1_000_000_000 }
  /// Since 1970.
  var wallNanoseconds: Int64 { nanoseconds + offset }
}
