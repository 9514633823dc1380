import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct SweepTests {
  private static let names = (0..<5).map { DomainName.host("h\($0).test") }

  @Test func `a round scans every name once, a few at a time`() {
    var sweep = Sweep(now: 1_000)
    #expect(!sweep.isDue(now: 999) && sweep.isDue(now: 1_000))
    #expect(sweep.delay(now: 600) == 400 && sweep.delay(now: 2_000) == 0)
    sweep.begin(Self.names)
    // Until the round is over it continues at once.
    #expect(sweep.isUnderWay && sweep.isDue(now: 0) && sweep.delay(now: 0) == 0)
    var seen: [[DomainName]] = []
    for _ in 0..<4 { seen.append(Array(sweep.take(2))) }
    #expect(seen.map(\.count) == [2, 2, 1, 0])
    #expect(seen.flatMap(\.self) == Self.names)
    sweep.end(now: 5_000)
    #expect(!sweep.isUnderWay && sweep.take(2).isEmpty)
  }

  @Test(
    arguments: [
      // Microseconds of the processor, milliseconds until the next round.
      (0, 1_000), (1_000, 1_000), (25_000, 1_000), (26_000, 1_040), (100_000, 4_000),
      (750_000, 30_000),
    ] as [(Int64, Int64)])
  func `the rest follows from the cost, so that it takes three percent of a processor at most`(
    cost: Int64, pause: Int64
  ) {
    var sweep = Sweep(now: 0)
    sweep.begin(Self.names)
    // In two parts.
    sweep.note(cost: cost / 4)
    sweep.note(cost: cost - cost / 4)
    sweep.end(now: 10_000)
    #expect(sweep.next == 10_000 + pause && sweep.pace == pause)
    #expect(!sweep.isDue(now: 9_999 + pause) && sweep.isDue(now: 10_000 + pause))
    #expect(Double(cost) / Double(cost + pause * 1_000) <= 0.03)
    // The next round has its own cost.
    sweep.begin([])
    sweep.end(now: 50_000)
    #expect(sweep.next == 51_000)
  }

  @Test func `a round can be asked for at once`() {
    var sweep = Sweep(now: 0)
    sweep.begin(Self.names)
    sweep.note(cost: 1_000_000)
    sweep.end(now: 1_000)
    #expect(sweep.delay(now: 1_000) == 40_000)
    sweep.startNow(now: 2_000)
    #expect(sweep.isDue(now: 2_000))
    // Never later than it would have been.
    sweep.startNow(now: 90_000)
    #expect(sweep.isDue(now: 2_000))
    // A round in progress continues.
    sweep.begin(Self.names)
    _ = sweep.take(3)
    sweep.startNow(now: 3_000)
    #expect(sweep.take(9).count == 2)
  }
}
