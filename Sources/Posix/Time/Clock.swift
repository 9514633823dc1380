internal import LibC

/// The system's clocks. Deadlines use the monotonic clock, because setting the time does not affect
/// that clock. The times that users see are from the wall clock.
package enum Clock {
  private static func now(_ clock: clockid_t) -> timespec {
    var time = timespec()
    _ = unsafe clock_gettime(clock, &time)
    return time
  }

  /// Milliseconds since an arbitrary start. Never decreases.
  package static func monotonicMilliseconds() -> Int64 {
    let time = now(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Nanoseconds since an arbitrary start. Never decreases.
  package static func monotonicNanoseconds() -> Int64 {
    let time = now(CLOCK_MONOTONIC)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Microseconds of processor time of the calling thread.
  package static func threadMicroseconds() -> Int64 {
    let time = now(CLOCK_THREAD_CPUTIME_ID)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  /// Nanoseconds since 1970-01-01T00:00:00Z (POSIX time).
  package static func wallNanoseconds() -> Int64 {
    let time = now(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  package static func wallMilliseconds() -> Int64 {
    let time = now(CLOCK_REALTIME)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Returns the local time of day in the machine's time zone (TZ, or the system's).
  ///
  /// - Parameter seconds: The time, in seconds since 1970.
  package static func localTime(_ seconds: Int64) -> (hour: Int, minute: Int, second: Int) {
    var time = time_t(seconds)
    var parts = unsafe tm()
    _ = unsafe localtime_r(&time, &parts)
    return unsafe (Int(parts.tm_hour), Int(parts.tm_min), Int(parts.tm_sec))
  }

  /// Seconds since 1970-01-01T00:00:00Z (POSIX time).
  package static func wallSeconds() -> Int64 {
    let time = now(CLOCK_REALTIME)
    return Int64(time.tv_sec)
  }
}

/// A point in time on the monotonic clock at which waiting ends.
package struct Deadline: Sendable, Equatable {
  /// The time at which waiting ends, in milliseconds of `Clock.monotonicMilliseconds`.
  package let end: Int64

  package init(at end: Int64) { self.end = end }

  package init(afterMilliseconds milliseconds: Int64) {
    end = Clock.monotonicMilliseconds() + milliseconds
  }

  /// The time until the deadline; 0 if the deadline has passed.
  package var millisecondsLeft: Int64 { max(0, end - Clock.monotonicMilliseconds()) }

  package var isOver: Bool { millisecondsLeft == 0 }

  /// Returns the earlier of two deadlines: this deadline, and the time `milliseconds` from now.
  package func capped(toMilliseconds milliseconds: Int64) -> Deadline {
    Deadline(at: min(end, Clock.monotonicMilliseconds() + milliseconds))
  }
}
