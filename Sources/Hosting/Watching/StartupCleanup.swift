internal import Posix

/// Returns the memory that only the start needed, a moment after serving began, because the first
/// requests run code that is needed once. Returns memory once more when the background work after
/// the start is done.
struct StartupCleanup {
  /// Milliseconds of the monotonic clock; nil once it has passed.
  private var time: Int64?
  /// Whether memory is to be returned again when the background work is done.
  private var isWaitingForWork = false

  /// Milliseconds from the start of serving.
  private static let duration: Int64 = 250

  mutating func begin(now: Int64) {
    time = now + Self.duration
    // Records now which code will be needed later.
    _ = Memory.code
  }

  /// Milliseconds until there is work.
  func delay(now: Int64, isBusy: Bool) -> Int64 {
    if let time { return max(0, time - now) }
    return isWaitingForWork && !isBusy ? 0 : .max
  }

  /// - Parameter isBusy: Whether background work of the start is still going on.
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
