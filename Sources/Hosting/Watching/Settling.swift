internal import Posix

/// Starting is over a moment after serving began: the first requests, too, run code that is needed
/// once. Then memory that only starting needed is given back; once more when the work is done that
/// follows the start of very many.
struct Settling {
  /// Milliseconds of the monotonic clock; nil when it has come.
  private var time: Int64?
  /// Whether there is something to give back again when the work is done.
  private var isWaitingForWork = false

  /// Milliseconds from the start of serving on.
  private static let duration: Int64 = 250

  mutating func begin(now: Int64) {
    time = now + Self.duration
    // Finds out now what will be needed then.
    _ = Memory.code
  }

  /// Milliseconds until there is something to do.
  func delay(now: Int64, isBusy: Bool) -> Int64 {
    if let time { return max(0, time - now) }
    return isWaitingForWork && !isBusy ? 0 : .max
  }

  /// - Parameter isBusy: work that follows the start is still being done.
  mutating func endIfTime(now: Int64, isBusy: Bool) {
    if let time {
      if time > now { return }
      self.time = nil
    } else if !isWaitingForWork || isBusy {
      return
    }
    isWaitingForWork = isBusy
    Memory.returnFree()
    Memory.code.forget()
  }
}
