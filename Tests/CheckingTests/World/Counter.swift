import Synchronization

/// Counts the calls of a script.
final class Counter: Sendable {
  private let count = Mutex(0)

  /// Returns 1, 2, 3 …
  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
