/// How fast domains are looked at: a round over all of them begins every interval, with a pause
/// before each domain, and slower and slower as long as nothing at all can be reached from here.
///
/// Times are in milliseconds, moments those of the monotonic clock.
struct WatchPace {
  private let interval: Int64
  private var isInRound = false
  private var nextRound: Int64 = 0
  private var pauseBetween = WatchLimits.pause

  init(interval: Int64) { self.interval = interval }

  /// The shortest time between two looks.
  var shortestPause: Int64 { pauseBetween }

  /// The time until the next domain is to be looked at.
  func pause(now: Int64) -> Int64 {
    isInRound ? pauseBetween : max(pauseBetween, nextRound - now)
  }

  /// A domain is about to be looked for.
  mutating func goOn(now: Int64) {
    if isInRound { return }
    isInRound = true
    nextRound = now + interval
  }

  mutating func endRound() { isInRound = false }

  mutating func noteCheck(reachedAnything: Bool) {
    pauseBetween =
      reachedAnything
      ? WatchLimits.pause : min(pauseBetween * 2, WatchLimits.longestPause)
  }
}

/// The limits of looking at domains from outside.
enum WatchLimits {
  /// Milliseconds before each domain: nobody is asked more often than this.
  static let pause: Int64 = 1_000
  /// Milliseconds, when nothing can be reached.
  static let longestPause: Int64 = 60_000
  /// Bytes of a sentence about a domain that are kept.
  static let faultBytes = 300
}
