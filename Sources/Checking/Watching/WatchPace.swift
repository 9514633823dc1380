/// The pace of the checks: a round over all domains begins every interval, with a pause before each
/// domain. The pause grows while this machine cannot reach anything.
///
/// Durations are in milliseconds. Points in time are in milliseconds of the monotonic clock.
struct WatchPace {
  private let interval: Int64
  private var isInRound = false
  private var nextRound: Int64 = 0
  private var pauseBetween = WatchLimits.pause

  init(interval: Int64) { self.interval = interval }

  /// The shortest time between two checks.
  var shortestPause: Int64 { pauseBetween }

  /// Returns the time until the next check.
  func pause(now: Int64) -> Int64 {
    isInRound ? pauseBetween : max(pauseBetween, nextRound - now)
  }

  /// Notes the beginning of a check.
  mutating func beginCheck(now: Int64) {
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

/// The limits of checks from outside.
enum WatchLimits {
  /// Milliseconds of pause before each domain, which limits how often a server gets requests.
  static let pause: Int64 = 1_000
  /// The maximum pause in milliseconds while this machine can reach nothing.
  static let longestPause: Int64 = 60_000
  /// Milliseconds for all requests of one check. Because one check begins per second, this value
  /// also limits the number of concurrent checks.
  static let check: Int64 = 10_000
  /// The maximum number of bytes to keep of a sentence about a domain's fault.
  static let faultBytes = 300
}
