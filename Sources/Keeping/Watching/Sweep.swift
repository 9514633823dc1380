internal import Settings

/// A scan of all files that is repeated regularly. It finds changes that the kernel did not report
/// as events.
///
/// One scan of all files is a round. A round is divided into slices, so that events are handled
/// between the slices. After each round there is a pause, so that the scan takes at most three
/// percent of one processor.
struct Sweep {
  /// The minimum pause between two rounds, in milliseconds.
  static let shortestPause: Int64 = 1_000
  /// The pause after a round is this many times as long as the processor time of the round.
  private static let rest: Int64 = 40

  /// The names that this round has not scanned yet.
  private var names: ArraySlice<DomainName> = []
  private(set) var isUnderWay = false
  /// Microseconds of processor time that this round has taken.
  private var cost: Int64 = 0
  /// When the next round begins, in milliseconds of the monotonic clock.
  private(set) var next: Int64

  init(now: Int64) { next = now }

  func isDue(now: Int64) -> Bool { isUnderWay || now >= next }

  /// Returns the milliseconds until the next scan must begin; 0 if a round is in progress.
  func delay(now: Int64) -> Int64 { isUnderWay ? 0 : max(0, next - now) }

  /// Begins a round that scans these names.
  mutating func begin(_ names: [DomainName]) {
    self.names = names[...]
    isUnderWay = true
    cost = 0
  }

  /// Returns the next names of the round; empty at the end of the round.
  mutating func take(_ count: Int) -> ArraySlice<DomainName> {
    let taken = names.prefix(count)
    names = names.dropFirst(count)
    return taken
  }

  /// Adds the processor time of a part of the round, in microseconds.
  mutating func note(cost: Int64) { self.cost += cost }

  /// Ends the round, and plans the next round.
  mutating func end(now: Int64) {
    names = []
    isUnderWay = false
    next = now + pace
  }

  /// The pause between two rounds in milliseconds. The pause depends on the processor time of the
  /// last round.
  var pace: Int64 { max(Self.shortestPause, cost * Self.rest / 1000) }

  /// Begins the next round now, unless a round is in progress.
  mutating func startNow(now: Int64) { if !isUnderWay { next = min(next, now) } }
}
