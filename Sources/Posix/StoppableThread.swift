internal import Synchronization

/// A thread that works until it is stopped, which also ends its pauses.
package final class StoppableThread: Sendable {
  private let wakeup: Wakeup
  private let isStopping = Atomic<Bool>(false)
  private let isWoken = Atomic<Bool>(false)
  private let ended = Atomic<Bool>(true)
  private let thread: Mutex<Thread?> = Mutex(nil)

  package init() throws(SystemError) { wakeup = try Wakeup() }

  package func start(
    named name: String, _ body: @escaping @Sendable () -> Void
  ) throws(SystemError) {
    ended.store(false, ordering: .releasing)
    do throws(SystemError) {
      let started = try Thread(named: name) { [self] in
        body()
        ended.store(true, ordering: .releasing)
      }
      thread.withLock { $0 = started }
    } catch {
      ended.store(true, ordering: .releasing)
      throw error
    }
  }

  /// Does not wait for work in progress.
  package func stop() {
    isStopping.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Ends the present pause, or the next one.
  package func wake() {
    isWoken.store(true, ordering: .releasing)
    wakeup.signal()
  }

  /// Whether the thread has ended, after a short wait. A thread that waits for an answer has not:
  /// then the process must end without unwinding, because the thread still uses its objects.
  package func hasEnded() -> Bool {
    for _ in 0..<40 where !ended.load(ordering: .acquiring) { Thread.pause(milliseconds: 5) }
    if !ended.load(ordering: .acquiring) { return false }
    // Libraries clean up when a thread ends. That must be over before the process ends.
    thread.withLock { $0 }?.join()
    return true
  }

  /// Pauses the thread; call it there. Returns false if it is time to stop.
  package func pause(milliseconds: Int64) -> Bool {
    let end = Deadline(afterMilliseconds: milliseconds)
    while !isStopping.load(ordering: .acquiring) {
      if end.isOver { return true }
      if isWoken.exchange(false, ordering: .acquiringAndReleasing) {
        wakeup.acknowledge()
        // A stop meanwhile has had its signal acknowledged with the other.
        return !isStopping.load(ordering: .acquiring)
      }
      _ = wakeup.descriptor.waitUntilReady(forWriting: false, until: end)
    }
    return false
  }
}
