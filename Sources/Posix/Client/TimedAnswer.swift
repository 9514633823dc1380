internal import Synchronization

/// What some blocking work returns; nil if it has not ended by the deadline.
///
/// The work runs in a thread of its own, because the system's resolver has no deadline. A thread that
/// is late is abandoned: it ends by itself, and nobody reads what it finds.
package func timedAnswer<Answer: Sendable>(
  until deadline: Deadline, _ work: @escaping @Sendable () -> Answer
) throws(SystemError) -> Answer? {
  let box = AnswerBox<Answer>()
  let (reading, writing) = try FileDescriptor.pipe()
  let end = FileDescriptor(owning: reading)
  do throws(SystemError) {
    _ = try Thread(named: "resolver") {
      box.set(work())
      // Closing it wakes the reader.
      _ = FileDescriptor(owning: writing)
    }
  } catch {
    _ = FileDescriptor(owning: writing)
    throw error
  }
  _ = end.waitUntilReady(forWriting: false, until: deadline)
  return box.answer
}

/// The answer, shared with the thread that finds it.
private final class AnswerBox<Answer: Sendable>: Sendable {
  private let state = Mutex<Answer?>(nil)

  var answer: Answer? { state.withLock { $0 } }

  func set(_ answer: Answer) { state.withLock { $0 = answer } }
}
