internal import Posix

/// Starting is over a moment after serving began: the first requests, too, run code that is needed
/// once. Then memory that only starting needed is given back.
struct Settling {
  /// Milliseconds of the monotonic clock; nil when it is over.
  private var time: Int64?

  /// Milliseconds from the start of serving on.
  private static let duration: Int64 = 250

  mutating func begin(now: Int64) {
    time = now + Self.duration
    // Finds out now what will be needed then.
    _ = Memory.code
  }

  /// Milliseconds until there is something to do.
  func delay(now: Int64) -> Int64 { time.map { max(0, $0 - now) } ?? .max }

  /// - Parameter isBusy: work of the start is still being done; it is waited for.
  mutating func endIfTime(now: Int64, isBusy: Bool) {
    guard let time, time <= now, !isBusy else { return }
    Memory.returnFree()
    Memory.code.forget()
    self.time = nil
  }
}
