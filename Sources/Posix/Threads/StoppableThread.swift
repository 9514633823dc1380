internal import Synchronization

/// A thread that runs until `stop` is called. A stop also ends the thread's current pause.
package final class StoppableThread: Sendable {
  private let wakeup: Wakeup
  private let stops = Atomic<Bool>(false)
  private let isWoken = Atomic<Bool>(false)
  private let ended: Completion
  /// The running thread; nil until it is started.
  private let thread: Mutex<Thread?> = Mutex(nil)

  package init() throws(SystemError) {
    wakeup = try Wakeup()
    ended = try Completion()
  }

  /// Starts the thread. Call it once.
  package func start(
    named name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    let started = try Thread(named: name) { [ended] in
      body()
      ended.signal()
    }
    thread.withLock { $0 = started }
  }

  /// Asks the thread to stop. Does not wait until the thread has ended.
  package func stop() {
    stops.store(true, ordering: .releasing)
    wakeup.signal()
  }

  package var isStopping: Bool { stops.load(ordering: .acquiring) }

  /// Ends the thread's current pause. If the thread is not pausing now, its next pause ends
  /// immediately.
  package func wake() {
    isWoken.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Waits for at most this time, and returns whether the thread has ended. If the thread has not
  /// ended, it still uses its objects, so the process must exit without freeing these objects.
  package func hasEnded(withinMilliseconds milliseconds: Int64 = 200) -> Bool {
    guard let thread = thread.withLock({ $0 }) else { return true }
    guard ended.wait(until: Deadline(afterMilliseconds: milliseconds)) else { return false }
    // Libraries clean up when a thread ends. This cleanup must finish before the process ends.
    thread.join()
    return true
  }

  /// Pauses the calling thread, which must be this thread. Returns false if the thread must stop.
  package func pause(milliseconds: Int64) -> Bool {
    let end = Deadline(afterMilliseconds: milliseconds)
    while !isStopping {
      if end.isOver { return true }
      if isWoken.exchange(false, ordering: .acquiringAndReleasing) {
        wakeup.acknowledge()
        // `acknowledge` may also have cleared the signal of `stop`, so check again.
        return !isStopping
      }
      _ = wakeup.descriptor.waitUntilReady(forWriting: false, until: end)
    }
    return false
  }
}
