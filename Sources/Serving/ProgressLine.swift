internal import Bytes
internal import Posix
internal import Synchronization

/// A line on the terminal that shows the progress of work that takes more than a second. Writes
/// nothing if the standard error stream is not a terminal.
///
/// Several threads may report progress at the same time.
package final class ProgressLine: Sendable {
  private struct State {
    var done = 0
    var nextTime: Int64
    var isShown = false
    var hasEnded = false
  }

  private let verb: String
  private let noun: String
  private let write: (@Sendable (String) -> Void)?
  private let clock: @Sendable () -> Int64
  private let state: Mutex<State>

  /// `patience` is the number of milliseconds before the line first appears. `interval` is the
  /// number of milliseconds between two updates of the line.
  static let patience: Int64 = 1_000
  static let interval: Int64 = 100

  /// - Parameters:
  ///   - verb: The kind of work, such as `loading`.
  ///   - noun: The objects of the work, such as `domains`.
  package convenience init(_ verb: String, of noun: String) {
    let isShown = standardErrorIsTerminal && environmentVariables()["TERM"] != "dumb"
    let write: @Sendable (String) -> Void = { writeToStandard(2, $0) }
    self.init(
      verb, of: noun, clock: { Clock.monotonicMilliseconds() }, write: isShown ? write : nil)
  }

  init(
    _ verb: String, of noun: String, clock: @escaping @Sendable () -> Int64,
    write: (@Sendable (String) -> Void)?
  ) {
    self.verb = verb
    self.noun = noun
    self.clock = clock
    self.write = write
    state = Mutex(State(nextTime: clock() + Self.patience))
  }

  /// Adds `more` to the number of finished objects. `total` is the number of all objects, whether
  /// finished or not.
  package func advance(_ more: Int, of total: Int) {
    guard let write else { return }
    let now = clock()
    state.withLock { state in
      state.done += more
      if now < state.nextTime || state.hasEnded { return }
      state.nextTime = now + Self.interval
      state.isShown = true
      let share = total == 0 ? 100 : state.done * 100 / total
      // Overwrite the line from its beginning, and erase the rest of a longer previous line.
      write("\r\(verb) \(grouped(state.done)) of \(grouped(total)) \(noun), \(share) %\u{1B}[K")
    }
  }

  /// Erases the line, so that other output can be written. The next call of `advance` shows the
  /// line again.
  package func erase() {
    state.withLock { erase(&$0) }
  }

  /// Erases the line. Later calls of `advance` do not show it again.
  package func end() {
    state.withLock { state in
      erase(&state)
      state.hasEnded = true
    }
  }

  private func erase(_ state: inout State) {
    if state.isShown { write?("\r\u{1B}[K") }
    state.isShown = false
  }
}
