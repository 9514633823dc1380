internal import Synchronization

/// A thread that writes lines for other threads, so that the other threads never wait for a slow
/// reader. Each log has its own writer thread.
///
/// Other threads add lines to a `LineQueue` and wake the writer thread. Its step then takes the
/// waiting lines and writes them, however long that takes.
package final class WriterThread: Sendable {
  /// The pause of the thread between two steps.
  package enum Pause: Sendable {
    /// Sleep until woken, or until this time in milliseconds of the monotonic clock.
    case sleep(until: Int64?)
    /// Wait for this many milliseconds, so that more lines accumulate.
    case gather(milliseconds: Int32)
  }

  private let news: Wakeup
  private let ended: Completion
  private let isClosing = Atomic<Bool>(false)
  /// Whether the thread was woken after its last step began. One wake-up covers all earlier lines.
  private let isWoken = Atomic<Bool>(false)

  package init() throws(SystemError) {
    news = try Wakeup()
    ended = try Completion()
  }

  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - step: Called on the thread. `isLast` is true for the last call.
  package func start(
    named name: String, _ step: @escaping @Sendable (_ isLast: Bool) -> Pause
  ) throws(SystemError) {
    _ = try Thread(named: name) { [self] in
      while true {
        // The order matters: this step handles a wake-up between the two lines, and the next step
        // handles a later wake-up.
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

  /// Tells the thread that lines are waiting. Takes one load if the thread is already awake.
  package func wake() {
    if isWoken.load(ordering: .sequentiallyConsistent) { return }
    if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { news.signal() }
  }

  /// Lets the thread write the waiting lines and end. Returns false if the time runs out first, for
  /// example because the reader is blocked.
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

  /// - Parameter limit: The maximum size in bytes.
  package init(limit: Int) { self.limit = limit }

  /// Adds lines, or drops them if they do not fit.
  package func add(_ lines: ArraySlice<UInt8>, count: Int) {
    let isTaken = waiting.withLock { append(lines, to: &$0) }
    if !isTaken { lost.add(count, ordering: .relaxed) }
  }

  /// The result of offering lines.
  package enum Offer: Sendable {
    case taken
    /// The writer is using the queue.
    case busy
    /// There is no room for the lines. They are not counted as lost.
    case full
  }

  /// Adds lines like `add`, but never waits and does not count lost lines.
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

  /// Takes all waiting lines, and puts the empty `spare` in their place for new lines.
  package func take(_ spare: inout [UInt8]) { waiting.withLock { swap(&$0, &spare) } }

  /// Returns the number of lines lost since the last call.
  package func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
