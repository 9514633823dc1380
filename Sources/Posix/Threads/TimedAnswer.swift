internal import Synchronization

/// Returns the result of blocking work; nil if the work has not ended by the deadline.
///
/// The work runs in its own thread, because the system's resolver has no deadline. If the work
/// takes too long, the thread is abandoned. Later, the thread ends by itself, and its result is
/// discarded.
func timedAnswer<Answer: Sendable>(
  until deadline: Deadline, _ work: @escaping @Sendable () -> Answer
) throws(SystemError) -> Answer? {
  let box = AnswerBox<Answer>()
  let found = try Completion()
  _ = try Thread(named: "resolver") {
    box.set(work())
    found.signal()
  }
  found.wait(until: deadline)
  return box.answer
}

/// The place where the thread that does the work stores the answer.
private final class AnswerBox<Answer: Sendable>: Sendable {
  private let state = Mutex<Answer?>(nil)

  var answer: Answer? { state.withLock { $0 } }

  func set(_ answer: Answer) { state.withLock { $0 = answer } }
}

/// An event that happens once. Any number of threads can wait for it.
package final class Completion: Sendable {
  private let wakeup: Wakeup

  package init() throws(SystemError) { wakeup = try Wakeup() }

  /// Reports that the event has happened. Any thread may call this function any number of times.
  package func signal() { wakeup.signal() }

  /// Whether the event has happened.
  package var isOver: Bool { wait(until: Deadline(at: 0)) }

  /// Waits for the event. Returns false if the deadline passes first.
  @discardableResult
  package func wait(until deadline: Deadline) -> Bool {
    // After `signal`, the descriptor stays readable, because nothing calls `acknowledge`.
    wakeup.descriptor.waitUntilReady(forWriting: false, until: deadline)
  }
}
