/// Decides when checks begin. In each interval there is one round over all domains, with a pause
/// before each domain. While this machine cannot reach anything, the pause becomes longer.
///
/// All durations are in milliseconds, and all points in time are in milliseconds of the monotonic
/// clock.
struct WatchPace {
  private let interval: Int64
  private var isInRound = false
  private var nextRound: Int64 = 0
  private var pauseBetween = WatchLimits.pause

  init(interval: Int64) { self.interval = interval }

  /// The minimum time between the beginnings of two checks.
  var shortestPause: Int64 { pauseBetween }

  /// Returns the time until the next check of the round, or until the next round.
  func pause(now: Int64) -> Int64 {
    isInRound ? pauseBetween : max(pauseBetween, nextRound - now)
  }

  /// Notes that a check begins. If no round is in progress, this check begins a new round.
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

/// The limits for checking domains from outside.
enum WatchLimits {
  /// The pause before each check, in milliseconds. This pause limits how often a server gets
  /// requests.
  static let pause: Int64 = 1_000
  /// The maximum pause before each check in milliseconds, used while this machine can reach
  /// nothing.
  static let longestPause: Int64 = 60_000
  /// The time limit for all requests of one check, in milliseconds. Because one check begins per
  /// second, this limit also limits how many checks run at the same time.
  static let check: Int64 = 10_000
  /// The maximum number of bytes of the sentence about a domain's fault.
  static let faultBytes = 300
}
