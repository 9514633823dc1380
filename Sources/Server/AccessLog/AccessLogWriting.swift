internal import Logging
internal import Posix

/// The writing thread's side of the access log.
struct AccessLogWriting: ~Copyable {
  private var destination: LogDestination
  private let log: Logger
  private var spare: [UInt8] = []
  /// A part of a line was written and not its end.
  private var isTorn = false

  /// Lines that were not written, and are not told of yet.
  private var lost = 0
  /// All lines that were not written since the start.
  private(set) var lostInAll = 0
  private var lastError: SystemError?
  private var nextTelling = Int64.min

  private static let lineEnd = UInt8(ascii: "\n")

  init(_ destination: consuming LogDestination, log: Logger) {
    self.destination = destination
    self.log = log
  }

  mutating func replace(_ other: consuming LogDestination) {
    destination = other
    isTorn = false
  }

  /// Lost lines are still to be told of.
  var tellsLater: Bool { lost > 0 }

  mutating func forgetMemory() { if spare.capacity > 65_536 { spare = [] } }

  /// Writes all that waits. False when there was nothing.
  mutating func write(from queues: [LineQueue]) -> Bool {
    var hasWritten = false
    for queue in queues {
      queue.take(&spare)
      if !spare.isEmpty {
        hasWritten = true
        write()
        spare.removeAll(keepingCapacity: true)
      }
      noteLost(queue.takeLost())
    }
    tellOfLost(now: Clock.monotonicMilliseconds())
    return hasWritten
  }

  /// Writes the lines in `spare`.
  private mutating func write() {
    if isTorn {
      guard destination.write([Self.lineEnd]).error == nil else { return lose(from: 0) }
      isTorn = false
    }
    let (count, error) = destination.write(spare)
    guard let error else { return }
    lastError = error
    isTorn = count > 0 && spare[count - 1] != Self.lineEnd
    lose(from: count)
  }

  private mutating func lose(from start: Int) {
    for index in start..<spare.count where spare[index] == Self.lineEnd { noteLost(1) }
  }

  private mutating func noteLost(_ count: Int) {
    lost += count
    lostInAll += count
  }

  /// Tells of lost lines, but not too often.
  mutating func tellOfLost(now: Int64) {
    guard lost > 0, now >= nextTelling else { return }
    let lines = lost == 1 ? "1 line" : "\(lost) lines"
    let reason =
      lastError.map { "\($0.reason)" } ?? "it is not taken as fast as it is written"
    log.warning("the access log lost \(lines): \(reason)")
    lost = 0
    lastError = nil
    nextTelling = now == .max ? now : now + AccessLogLimits.telling
  }
}
