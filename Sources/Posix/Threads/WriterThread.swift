internal import Synchronization

/// A thread that writes lines for other threads, so that the other threads never wait for a slow
/// reader. Each log has its own writer thread.
///
/// Other threads add lines to a `LineQueue` and wake the writer thread. The writer thread then
/// takes the waiting lines and writes them, however long the write takes.
package final class WriterThread: Sendable {
  /// What the thread does between two steps.
  package enum Pause: Sendable {
    /// Sleep until another thread calls `wake`, or until this time in milliseconds of the monotonic
    /// clock.
    case sleep(until: Int64?)
    /// Wait for this many milliseconds, so that more lines accumulate.
    case gather(milliseconds: Int32)
  }

  private let news: Wakeup
  private let ended: Completion
  private let isClosing = Atomic<Bool>(false)
  /// Whether another thread has called `wake` since the last step began. The next step handles all
  /// lines that were added until then.
  private let isWoken = Atomic<Bool>(false)

  package init() throws(SystemError) {
    news = try Wakeup()
    ended = try Completion()
  }

  /// - Parameters:
  ///   - name: The name of the thread.
  ///   - step: Writes the waiting lines. Called on the thread again and again. `isLast` is true in
  ///     the last call.
  package func start(
    named name: String, _ step: @escaping @Sendable (_ isLast: Bool) -> Pause
  ) throws(SystemError) {
    _ = try Thread(named: name) { [self] in
      while true {
        // The order of these two lines matters. If `wake` is called between them, this step handles
        // the new lines. If `wake` is called later, the next step handles them.
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

  /// Tells the thread that lines are waiting. If another thread has already called this function
  /// since the last step began, the call takes only one load from memory.
  package func wake() {
    if isWoken.load(ordering: .sequentiallyConsistent) { return }
    if !isWoken.exchange(true, ordering: .sequentiallyConsistent) { news.signal() }
  }

  /// Lets the thread write the waiting lines and end. Returns false if the thread does not end in
  /// time, for example because the reader is blocked.
  @discardableResult
  package func close(withinMilliseconds milliseconds: Int64) -> Bool {
    isClosing.store(true, ordering: .releasing)
    news.signal()
    return ended.wait(until: Deadline(afterMilliseconds: milliseconds))
  }
}

/// Lines that wait to be written. If the waiting lines exceed a size limit, further lines are
/// dropped and counted.
package final class LineQueue: Sendable {
  private let limit: Int
  private let waiting = Mutex<[UInt8]>([])
  private let lost = Atomic<Int>(0)

  /// - Parameter limit: The maximum size of the waiting lines, in bytes.
  package init(limit: Int) { self.limit = limit }

  /// Adds lines. If the queue has no room for them, drops them and adds `count` to the number of
  /// lost lines.
  package func add(_ lines: ArraySlice<UInt8>, count: Int) {
    let isTaken = waiting.withLock { append(lines, to: &$0) }
    if !isTaken { lost.add(count, ordering: .relaxed) }
  }

  /// The result of `offer`.
  package enum Offer: Sendable {
    case taken
    /// Another thread is using the queue, so the lines were not added.
    case busy
    /// The queue has no room for the lines. They were not added, and are not counted as lost.
    case full
  }

  /// Adds lines like `add`, but never waits, and does not count dropped lines as lost.
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

  /// Moves all waiting lines to `spare`, which must be empty before the call. The queue reuses the
  /// memory that was in `spare` for new lines.
  package func take(_ spare: inout [UInt8]) { waiting.withLock { swap(&$0, &spare) } }

  /// Returns the number of lines that were lost since the last call.
  package func takeLost() -> Int { lost.exchange(0, ordering: .relaxed) }
}
