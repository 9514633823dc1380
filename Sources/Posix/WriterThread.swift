internal import Synchronization

/// A thread that writes what others hand over, so that none of them waits for whoever reads it. Both
/// logs have one.
///
/// Whoever has something to write puts it into a `LineQueue` and wakes the thread, which then calls
/// its step: that takes what waits and writes it, however long this takes.
package final class WriterThread: Sendable {
  /// What the thread does between two steps.
  package enum Pause: Sendable {
    /// It sleeps until it is woken, or until that time in milliseconds of the monotonic clock.
    case sleep(until: Int64?)
    /// It lets lines come together for so many milliseconds.
    case gather(milliseconds: Int32)
  }

  private let news: Wakeup
  private let hasEnded: Wakeup
  private let isClosing = Atomic<Bool>(false)
  /// Somebody has woken the thread since its last step began: one wake-up answers all.
  private let isWoken = Atomic<Bool>(false)

  package init() throws(SystemError) {
    news = try Wakeup()
    hasEnded = try Wakeup()
  }

  /// - Parameters:
  ///   - name: of the thread.
  ///   - step: called on the thread, for the last time with `true`.
  package func start(
    named name: String, _ step: @escaping @Sendable (_ isLast: Bool) -> Pause
  ) throws(SystemError) {
    _ = try Thread(named: name) { [self] in
      while true {
        // In this order: a wake-up that comes between the two is answered by this step, and one that
        // comes later by the next.
        news.acknowledge()
        isWoken.store(false, ordering: .sequentiallyConsistent)
        let isLast = isClosing.load(ordering: .acquiring)
        let pause = step(isLast)
        if isLast { return hasEnded.signal() }
        switch pause {
        case .gather(let milliseconds): Thread.pause(milliseconds: milliseconds)
        case .sleep(let end):
          _ = news.descriptor.waitUntilReady(forWriting: false, until: Deadline(at: end ?? .max))
        }
      }
    }
  }

  /// Something waits to be written. Costs a load when the thread is awake already.
  package func wake() {
    if isWoken.load(ordering: .sequentiallyConsistent) { return }
    if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { news.signal() }
  }

  /// Lets the thread write what waits, and end. A reader that is stuck is not waited for: false when
  /// the time is over before.
  @discardableResult
  package func close(withinMilliseconds milliseconds: Int64) -> Bool {
    isClosing.store(true, ordering: .releasing)
    news.signal()
    return hasEnded.descriptor.waitUntilReady(
      forWriting: false, until: Deadline(afterMilliseconds: milliseconds))
  }
}

/// Lines that wait to be written, up to a limit. What does not fit is dropped, and counted.
package final class LineQueue: Sendable {
  private let limit: Int
  private let waiting = Mutex<[UInt8]>([])
  private let lost = Atomic<Int>(0)

  /// - Parameter limit: in bytes.
  package init(limit: Int) { self.limit = limit }

  /// Takes lines, or drops them when they do not fit.
  package func add(_ lines: ArraySlice<UInt8>, count: Int) {
    let isTaken = waiting.withLock { append(lines, to: &$0) }
    if !isTaken { countLost(count) }
  }

  /// The same without waiting for anybody: false when the writer has its hands on the queue.
  package func offer(_ lines: ArraySlice<UInt8>, count: Int) -> Bool {
    guard let isTaken = waiting.withLockIfAvailable({ append(lines, to: &$0) }) else {
      return false
    }
    if !isTaken { countLost(count) }
    return true
  }

  private func append(_ lines: ArraySlice<UInt8>, to bytes: inout [UInt8]) -> Bool {
    if bytes.count + lines.count > limit { return false }
    bytes.append(contentsOf: lines)
    return true
  }

  package func countLost(_ lines: Int) { lost.add(lines, ordering: .relaxed) }

  /// Takes all that waits, and leaves `spare`, which must be empty, for what comes.
  package func take(_ spare: inout [UInt8]) { waiting.withLock { swap(&$0, &spare) } }

  /// How many lines were lost since the last call.
  package func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
