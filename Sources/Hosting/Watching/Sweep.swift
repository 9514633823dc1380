internal import Posix

/// The look at everything that is read, again and again, which finds what no event told.
///
/// It goes on in slices, so that events are answered meanwhile, and it rests so long after each round
/// that it takes three percent of a processor at most.
struct Sweep {
  /// Milliseconds between two rounds at least.
  static let shortestPause: Int64 = 1_000
  /// How much longer it rests than it works.
  private static let rest: Int64 = 40

  /// Those that this round has still to look at.
  private var names: ArraySlice<DomainName> = []
  private(set) var isUnderWay = false
  /// Microseconds of the processor that this round has taken.
  private var cost: Int64 = 0
  /// When the next round begins, in milliseconds of the monotonic clock.
  private(set) var next: Int64

  init(now: Int64) { next = now }

  func isDue(now: Int64) -> Bool { isUnderWay || now >= next }

  /// Milliseconds until there is something to do.
  func delay(now: Int64) -> Int64 { isUnderWay ? 0 : max(0, next - now) }

  /// Begins a round.
  mutating func begin(_ names: [DomainName]) {
    self.names = names[...]
    isUnderWay = true
    cost = 0
  }

  /// The next few names; none when the round is over.
  mutating func take(_ count: Int) -> ArraySlice<DomainName> {
    let taken = names.prefix(count)
    names = names.dropFirst(count)
    return taken
  }

  /// Takes note of the processor's time that a part of the round took, in microseconds.
  mutating func note(cost: Int64) { self.cost += cost }

  /// Ends the round.
  mutating func end(now: Int64) {
    names = []
    isUnderWay = false
    next = now + max(Self.shortestPause, cost * Self.rest / 1000)
  }

  /// Milliseconds between two rounds, as the last one was.
  var pace: Int64 { max(Self.shortestPause, cost * Self.rest / 1000) }

  /// Begins the next round now.
  mutating func hurry(now: Int64) { if !isUnderWay { next = min(next, now) } }
}
