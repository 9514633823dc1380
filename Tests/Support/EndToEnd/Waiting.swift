import Foundation

/// The time that has passed and may still pass.
struct Deadline: Sendable {
  private let end: ContinuousClock.Instant

  init(within duration: Duration) { end = .now + duration }

  var isOver: Bool { ContinuousClock.now >= end }

  /// Milliseconds left for poll(2).
  var milliseconds: Int32 {
    let (seconds, attoseconds) = ContinuousClock.now.duration(to: end).components
    return Int32(clamping: max(0, seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1))
  }
}

/// How long anything that must come may take: much longer than on a machine that has nothing else
/// to do, for how long it takes is measured by the benchmarks.
let patience = Duration.seconds(120)

/// Asks until the answer is not nil. Nil when time is over.
func eventually<Value>(
  within duration: Duration = patience, _ ask: () throws -> Value?
) rethrows -> Value? {
  let deadline = Deadline(within: duration)
  var pause = Duration.milliseconds(1)
  while true {
    let start = ContinuousClock.now
    if let value = try ask() { return value }
    if deadline.isOver { return nil }
    // Asking takes time that others need: it is done less often when the answer takes long to come,
    // and for a tenth of the time at most.
    pause = min(pause * 2, .milliseconds(40))
    let rest = Deadline(within: max(pause, min(start.duration(to: .now), .milliseconds(60)) * 9))
    poll(nil, 0, min(rest.milliseconds, deadline.milliseconds))
  }
}

/// Asks until it holds. False when time is over.
func eventually(
  within duration: Duration = patience, _ holds: () throws -> Bool
) rethrows -> Bool {
  try eventually(within: duration) { try holds() ? true : nil } ?? false
}

/// A value that a test needs to continue.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
