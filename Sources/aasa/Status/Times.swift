/// Times in a form for people: how long ago, and the exact time.
struct Times {
  /// Seconds since 1970.
  let now: Int64

  /// `3 h ago`
  func ago(_ time: Int64) -> String {
    now - time < 2 ? "just now" : "\(Self.length(now - time)) ago"
  }

  /// `in 81 days`, `3 days ago`
  func distance(_ time: Int64) -> String {
    time >= now ? "in \(Self.length(time - now))" : ago(time)
  }

  /// `2026-11-21 13:02 UTC (3 h ago)`
  func moment(_ time: Int64) -> String { "\(Self.date(time)) (\(ago(time)))" }

  /// One number and its unit, rounded down: `48 s`, `14 min`, `3 h`, `12 days`.
  static func length(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(max(0, seconds)) s"
    case ..<7_200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// `2026-11-21 13:02 UTC`
  static func date(_ time: Int64) -> String {
    // Days are counted in eras of 400 years that begin in March, so that the leap day is the last
    // day of a year (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms"). Only times
    // since 1970 are formatted.
    let days = max(0, time) / 86_400 + 719_468
    let (era, dayOfEra) = (days / 146_097, days % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let minutes = max(0, time) % 86_400 / 60
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day)) \(two(minutes / 60)):\(two(minutes % 60)) UTC"
  }
}
