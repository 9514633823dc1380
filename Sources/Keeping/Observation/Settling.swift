internal import Posix

extension FileStatus {
  /// Returns the milliseconds until the file has settled. A file has settled if it has not changed
  /// for 50 ms; before that, somebody may still be writing the file. The clocks of two machines can
  /// differ, so a time of change in the future is treated as long ago.
  ///
  /// - Parameter now: Nanoseconds since 1970.
  func settlingTime(now: Int64) -> Int64 {
    let age = age(now: now)
    return age < ObservationLimits.settlingTime ? ObservationLimits.settlingTime - age : 0
  }

  /// Returns the milliseconds until a file's content has settled. Many programs truncate a file
  /// before they write it, so an empty file may take longer to settle.
  func settlingTimeOfContent(now: Int64) -> Int64 {
    if size > 0 { return settlingTime(now: now) }
    return age(now: now) < ObservationLimits.longestSettling ? ObservationLimits.settlingTime : 0
  }

  /// Returns for how many milliseconds another change of the file could leave the file's time
  /// unchanged; 0 if every change is visible in the time. On a file system with times of whole
  /// seconds, two changes within one second have the same time.
  func doubtfulTime(now: Int64) -> Int64 {
    Self.doubtfulTime(age: age(now: now), changed: changed)
  }

  static func doubtfulTime(age: Int64, changed: Int64) -> Int64 {
    guard changed % 1_000_000_000 == 0, age < ObservationLimits.wholeSeconds else { return 0 }
    return ObservationLimits.wholeSeconds - age
  }

  /// Returns the milliseconds since the file's last change; `Int64.max` if the time of the change
  /// is in the future.
  func age(now: Int64) -> Int64 {
    let (age, overflows) = now.subtractingReportingOverflow(changed)
    return overflows || age < 0 ? .max : age / 1_000_000
  }
}

/// What was read from files that may still be changing.
protocol Settling {
  /// Milliseconds to wait because somebody may still be writing the files; 0 if all of them have
  /// settled.
  var settlingTime: Int64 { get set }
  /// If a file changes again within this many milliseconds, the file's times might not show the
  /// change. The value is 0 if the times show every change.
  var doubtfulTime: Int64 { get set }
}

extension Settling {
  /// Stores for how long a file that was just read may still be changing.
  ///
  /// - Parameter isSettled: Whether the file is completely written, or has been changing for too
  ///   long.
  mutating func noteSettlingTime(of content: FileContent, isSettled: Bool) {
    let now = Clock.wallNanoseconds()
    doubtfulTime = max(doubtfulTime, content.status.doubtfulTime(now: now))
    if content.hasChanged || content.isCut {
      settlingTime = ObservationLimits.settlingTime
    } else if !isSettled {
      settlingTime = max(settlingTime, content.status.settlingTimeOfContent(now: now))
    }
  }
}

/// Times to wait after a file has changed.
enum ObservationLimits {
  /// Milliseconds to wait after a file's last change before reading it.
  static let settlingTime: Int64 = 50
  /// Milliseconds to wait after a file is completely written. Other files of the same domain, such
  /// as expectations, may follow.
  static let completed: Int64 = 25
  /// On a file system with times of whole seconds, a changed file is read again after this many
  /// milliseconds.
  static let wholeSeconds: Int64 = 2_000
  /// Milliseconds for which a fault must persist before it is reported.
  static let lastingFault: Int64 = 1_000
  /// Milliseconds after which a file is read even if it is still changing.
  static let longestSettling: Int64 = 2_000
}

/// Returns the milliseconds to wait before a failed read is retried. The pauses after consecutive
/// failures are 1, 2, 5, 10, 20 and 40 seconds, and then always 60 seconds.
func retryPause(afterFailures count: Int) -> Int64 {
  let seconds: [Int64] = [1, 2, 5, 10, 20, 40, 60]
  return seconds[min(max(count, 1), seconds.count) - 1] * 1000
}
