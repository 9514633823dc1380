internal import Logging
internal import Posix

/// The writing thread's side of the access log.
struct AccessLogWriting: ~Copyable {
  private var destination: LogDestination
  private let log: Logger
  private var spare: [UInt8] = []
  /// Whether a line was written in part, without its end.
  private var isTorn = false

  /// The number of lost lines that are yet to be reported.
  private var lost = 0
  /// The number of lost lines since the start.
  private(set) var lostInAll = 0
  private var lastError: SystemError?
  private var nextReport = Int64.min

  private static let lineEnd = UInt8(ascii: "\n")

  init(_ destination: consuming LogDestination, log: Logger) {
    self.destination = destination
    self.log = log
  }

  mutating func replace(_ other: consuming LogDestination) {
    destination = other
    isTorn = false
  }

  /// Whether lost lines are yet to be reported.
  var hasUnreported: Bool { lost > 0 }

  mutating func forgetMemory() { if spare.capacity > 65_536 { spare = [] } }

  /// Writes all waiting lines. Returns false if there were none.
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
    reportLost(now: Clock.monotonicMilliseconds())
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

  /// Reports lost lines, but not too often.
  mutating func reportLost(now: Int64) {
    guard lost > 0, now >= nextReport else { return }
    let lines = lost == 1 ? "1 line" : "\(lost) lines"
    let reason =
      lastError.map { "\($0.reason)" } ?? "its reader or disk is too slow"
    log.warning("the access log lost \(lines): \(reason)")
    lost = 0
    lastError = nil
    nextReport = now == .max ? now : now + AccessLogLimits.reportPause
  }
}
