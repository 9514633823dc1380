/// An event that happens once and stays so. Any number of threads can wait for it.
package final class Completion: Sendable {
  private let wakeup: Wakeup

  package init() throws(SystemError) { wakeup = try Wakeup() }

  /// Safe on any thread, any number of times.
  package func signal() { wakeup.signal() }

  /// Whether the event has happened.
  package var isOver: Bool { wait(until: Deadline(at: 0)) }

  /// Waits for the event. Returns false if the deadline passes first.
  @discardableResult
  package func wait(until deadline: Deadline) -> Bool {
    // Nobody acknowledges the wake-up, so its descriptor stays readable.
    wakeup.descriptor.waitUntilReady(forWriting: false, until: deadline)
  }
}
