/// The pause before a failed read is tried again: 1, 2, 5, 10, 20, 40, then always 60 seconds.
struct RetryPause {
  private static let seconds: [Int64] = [1, 2, 5, 10, 20, 40, 60]

  /// Milliseconds to wait after a number of failures in a row, counted from 1.
  static func milliseconds(afterFailures count: Int) -> Int64 {
    seconds[min(max(count, 1), seconds.count) - 1] * 1000
  }
}
