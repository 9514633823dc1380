internal import Posix

/// `14:03:22`, the local time of day.
func timeOfDay(_ milliseconds: Int64) -> String {
  let (hour, minute, second) = Clock.localTime(milliseconds / 1_000)
  func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
  return "\(two(hour)):\(two(minute)):\(two(second))"
}
