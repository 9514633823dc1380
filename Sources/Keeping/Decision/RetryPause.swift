private let retrySeconds: [Int64] = [1, 2, 5, 10, 20, 40, 60]

/// Returns the milliseconds to wait before a failed read is retried. The pauses after consecutive
/// failures are 1, 2, 5, 10, 20 and 40 seconds, and then always 60 seconds.
func retryPause(afterFailures count: Int) -> Int64 {
  retrySeconds[min(max(count, 1), retrySeconds.count) - 1] * 1000
}
