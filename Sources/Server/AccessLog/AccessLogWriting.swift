internal import Posix

/// The state of the access log that only the writer's thread uses.
struct AccessLogWriting: ~Copyable {
  private var destination: LogDestination
  private let lostLines: LostLines
  private var spare: [UInt8] = []
  /// Whether the last write stopped in the middle of a line.
  private var isTorn = false

  private static let lineEnd = UInt8(ascii: "\n")

  init(_ destination: consuming LogDestination, _ lostLines: LostLines) {
    self.destination = destination
    self.lostLines = lostLines
  }

  mutating func replace(_ other: consuming LogDestination) {
    destination = other
    isTorn = false
  }

  mutating func forgetMemory() { if spare.capacity > 65_536 { spare = [] } }

  /// Writes the lines that wait in all queues. Returns false if no lines were waiting.
  mutating func write(from queues: [LineQueue]) -> Bool {
    var hasWritten = false
    for queue in queues {
      queue.take(&spare)
      if !spare.isEmpty {
        hasWritten = true
        write()
        spare.removeAll(keepingCapacity: true)
      }
    }
    lostLines.report(now: Clock.monotonicMilliseconds())
    return hasWritten
  }

  /// Writes the lines in `spare`.
  private mutating func write() {
    if isTorn {
      if let error = destination.write([Self.lineEnd]).error { return lose(from: 0, error) }
      isTorn = false
    }
    let (count, error) = destination.write(spare)
    guard let error else { return }
    isTorn = count > 0 && spare[count - 1] != Self.lineEnd
    lose(from: count, error)
  }

  private func lose(from start: Int, _ error: SystemError) {
    lostLines.note(spare[start...].count { $0 == Self.lineEnd }, because: error)
  }
}
