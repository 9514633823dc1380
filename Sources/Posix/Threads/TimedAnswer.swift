internal import Synchronization

/// Returns the result of blocking work; nil if the work has not ended by the deadline.
///
/// The work runs in its own thread, because the system's resolver has no deadline. A late thread is
/// abandoned: it ends by itself, and its result is discarded.
package func timedAnswer<Answer: Sendable>(
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

/// The answer, shared with the thread that finds it.
private final class AnswerBox<Answer: Sendable>: Sendable {
  private let state = Mutex<Answer?>(nil)

  var answer: Answer? { state.withLock { $0 } }

  func set(_ answer: Answer) { state.withLock { $0 = answer } }
}
