import Testing

@testable import Checking

/// The time of the next check from outside.
@Suite struct WatchPaceTests {
  @Test func `a round begins every interval, with a pause before each domain`() {
    var pace = WatchPace(interval: 60_000)
    #expect(pace.pause(now: 5_000_000) == 1_000)
    pace.beginCheck(now: 5_001_000)
    pace.noteCheck(reachedAnything: true)
    #expect(pace.pause(now: 5_001_500) == 1_000)
    pace.beginCheck(now: 5_002_500)
    pace.endRound()
    // Counted from the beginning of the round before.
    #expect(pace.pause(now: 5_003_000) == 58_000)
    // A round that has lasted longer than that is followed by the next.
    #expect(pace.pause(now: 5_100_000) == 1_000)
  }

  @Test func `as long as nothing can be reached it becomes slower, up to a minute`() {
    var pace = WatchPace(interval: 10_000)
    pace.beginCheck(now: 0)
    var pauses: [Int64] = []
    for _ in 0..<8 {
      pace.noteCheck(reachedAnything: false)
      pauses.append(pace.pause(now: 0))
    }
    #expect(pauses == [2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000])
    // Nor is a new round sooner.
    pace.endRound()
    #expect(pace.pause(now: 20_000) == 60_000)
    pace.noteCheck(reachedAnything: true)
    #expect(pace.pause(now: 20_000) == 1_000)
  }
}
