internal import Posix

extension FileStatus {
  /// Milliseconds until the file counts as settled: a file that changed in the last 50 ms may still
  /// be being written. Times in the future are ignored, because the clocks of two machines differ.
  ///
  /// - Parameter now: Nanoseconds since 1970.
  func settlingTime(now: Int64) -> Int64 {
    let age = age(now: now)
    return age < ObservationLimits.settlingTime ? ObservationLimits.settlingTime - age : 0
  }

  /// The same for a file's content. Many writers truncate a file first, so an empty one may need
  /// longer.
  func settlingTimeOfContent(now: Int64) -> Int64 {
    if size > 0 { return settlingTime(now: now) }
    return age(now: now) < ObservationLimits.longestSettling ? ObservationLimits.settlingTime : 0
  }

  /// Milliseconds since the last change.
  private func age(now: Int64) -> Int64 {
    let (age, overflows) = now.subtractingReportingOverflow(changed)
    return overflows || age < 0 ? .max : age / 1_000_000
  }
}

/// How long files are left alone after a change.
enum ObservationLimits {
  /// Milliseconds from a file's last change until it is read.
  static let settlingTime: Int64 = 50
  /// The same after an event that says that the writer of the file has finished. Other files of the
  /// same domain, such as its expectations, may follow.
  static let completed: Int64 = 25
  /// Milliseconds after which a file that keeps changing is read as it is.
  static let longestSettling: Int64 = 2_000
}
