/// A point in time after which waiting ends, on the monotonic clock.
package struct Deadline: Sendable, Equatable {
  /// In milliseconds of `Clock.monotonicMilliseconds`.
  package let end: Int64

  package init(at end: Int64) { self.end = end }

  package init(afterMilliseconds milliseconds: Int64) {
    end = Clock.monotonicMilliseconds() + milliseconds
  }

  /// Never negative.
  package var millisecondsLeft: Int64 { max(0, end - Clock.monotonicMilliseconds()) }

  package var isOver: Bool { millisecondsLeft == 0 }

  /// Returns this deadline, or the one that many milliseconds from now if that is earlier.
  package func capped(toMilliseconds milliseconds: Int64) -> Deadline {
    Deadline(at: min(end, Clock.monotonicMilliseconds() + milliseconds))
  }
}
