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

/// How long a change may take to be served.
let reloadAllowance = Duration.seconds(1)

/// The same by way of watching. Polling takes two looks at the content, 300 ms apart, and each
/// look takes as long as the machine is busy.
func reloadAllowance(watch: String) -> Duration {
  watch == "poll" ? .seconds(2) : reloadAllowance
}

/// Asks until the answer is not nil. Nil when time is over.
func eventually<Value>(
  within duration: Duration = .seconds(10), _ ask: () throws -> Value?
) rethrows -> Value? {
  let deadline = Deadline(within: duration)
  while true {
    if let value = try ask() { return value }
    if deadline.isOver { return nil }
    // Lets the others run; poll(2) on nothing, for two milliseconds.
    poll(nil, 0, 2)
  }
}

/// Asks until it holds. False when time is over.
func eventually(
  within duration: Duration = .seconds(10), _ holds: () throws -> Bool
) rethrows -> Bool {
  try eventually(within: duration) { try holds() ? true : nil } ?? false
}

/// What a test cannot go on without.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
