internal import Bytes

/// Formats times for people.
package struct Times {
  /// The current time, in seconds since 1970.
  package let now: Int64

  package init(now: Int64) { self.now = now }

  /// Returns how long ago a time was, for example `3 h ago`.
  package func ago(_ time: Int64) -> String {
    now - time < 2 ? "just now" : "\(Self.length(now - time)) ago"
  }

  /// Returns how far in the future or past a time is, for example `in 81 days` or `3 days ago`.
  package func distance(_ time: Int64) -> String {
    time >= now ? "in \(Self.length(time - now))" : ago(time)
  }

  /// Returns the exact time and how long ago it was: `2026-11-21 13:02 UTC (3 h ago)`.
  package func moment(_ time: Int64) -> String { "\(Self.date(time)) (\(ago(time)))" }

  /// Returns a duration in one unit, rounded down: `48 s`, `14 min`, `3 h`, `12 days`.
  package static func length(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(max(0, seconds)) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// Returns date and time, for example `2026-11-21 13:02 UTC`.
  package static func date(_ time: Int64) -> String {
    let time = CivilTime(max(0, time))
    return "\(time.date) \(time.time.prefix(5)) UTC"
  }
}
