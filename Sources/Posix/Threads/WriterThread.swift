internal import Synchronization

/// A thread that writes lines for others, so that none of them waits for a slow reader. Both logs
/// have one.
///
/// Other threads put lines into a `LineQueue` and wake the thread, which then calls its step: that
/// takes the waiting lines and writes them, however long this takes.
package final class WriterThread: Sendable {
  /// The state of the thread between two steps.
  package enum Pause: Sendable {
    /// It sleeps until it is woken, or until that time in milliseconds of the monotonic clock.
    case sleep(until: Int64?)
    /// It waits for that many milliseconds, so that lines are gathered.
    case gather(milliseconds: Int32)
  }

  private let news: Wakeup
  private let ended: Completion
  private let isClosing = Atomic<Bool>(false)
  /// Whether the thread was woken since its last step began: one wake-up answers all.
  private let isWoken = Atomic<Bool>(false)

  package init() throws(SystemError) {
    news = try Wakeup()
    ended = try Completion()
  }

  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - step: Called on the thread; the last time with `true`.
  package func start(
    named name: String, _ step: @escaping @Sendable (_ isLast: Bool) -> Pause
  ) throws(SystemError) {
    _ = try Thread(named: name) { [self] in
      while true {
        // In this order: this step answers a wake-up between the two, and the next step a later
        // one.
        news.acknowledge()
        isWoken.store(false, ordering: .sequentiallyConsistent)
        let isLast = isClosing.load(ordering: .acquiring)
        let pause = step(isLast)
        if isLast { return ended.signal() }
        switch pause {
        case .gather(let milliseconds): Thread.pause(milliseconds: milliseconds)
        case .sleep(let end):
          _ = news.descriptor.waitUntilReady(forWriting: false, until: Deadline(at: end ?? .max))
        }
      }
    }
  }

  /// Notes that lines wait to be written. Costs one load if the thread is already awake.
  package func wake() {
    if isWoken.load(ordering: .sequentiallyConsistent) { return }
    if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { news.signal() }
  }

  /// Lets the thread write the waiting lines, and ends it. Does not wait for a blocked reader:
  /// returns false if the time passes first.
  @discardableResult
  package func close(withinMilliseconds milliseconds: Int64) -> Bool {
    isClosing.store(true, ordering: .releasing)
    news.signal()
    return ended.wait(until: Deadline(afterMilliseconds: milliseconds))
  }
}

/// Lines that wait to be written, up to a limit. Further lines are dropped and counted.
package final class LineQueue: Sendable {
  private let limit: Int
  private let waiting = Mutex<[UInt8]>([])
  private let lost = Atomic<Int>(0)

  /// - Parameter limit: The limit in bytes.
  package init(limit: Int) { self.limit = limit }

  /// Adds lines, or drops them if they do not fit.
  package func add(_ lines: ArraySlice<UInt8>, count: Int) {
    let isTaken = waiting.withLock { append(lines, to: &$0) }
    if !isTaken { lost.add(count, ordering: .relaxed) }
  }

  /// What became of lines that were offered.
  package enum Offer: Sendable {
    case taken
    /// The writer uses the queue just now.
    case busy
    /// There is no room for them. They are not counted.
    case full
  }

  /// The same without waiting, and without counting.
  package func offer(_ lines: ArraySlice<UInt8>) -> Offer {
    guard let isTaken = waiting.withLockIfAvailable({ append(lines, to: &$0) }) else {
      return .busy
    }
    return isTaken ? .taken : .full
  }

  private func append(_ lines: ArraySlice<UInt8>, to bytes: inout [UInt8]) -> Bool {
    if bytes.count + lines.count > limit { return false }
    bytes.append(contentsOf: lines)
    return true
  }

  /// Takes all waiting lines, and leaves `spare`, which must be empty, for new ones.
  package func take(_ spare: inout [UInt8]) { waiting.withLock { swap(&$0, &spare) } }

  /// The number of added lines that were lost since the last call.
  package func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
