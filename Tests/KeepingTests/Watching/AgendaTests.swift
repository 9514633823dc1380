import Testing

@testable import Catalog
@testable import Keeping
@testable import Settings

@Suite struct AgendaTests {
  private var agenda = Agenda<String>()

  /// The keys that are due at a time, each with whether it is settled.
  private mutating func due(_ now: Int64) -> [String: Bool] {
    agenda.takeDue(now: now).mapValues(\.isSettled)
  }

  @Test mutating func `after an event a name must be quiet for 50 ms`() {
    agenda.plan("a", isComplete: false, now: 1_000)
    #expect(agenda.delay(now: 1_000) == 50)
    #expect(due(1_049) == [:])
    #expect(due(1_050) == ["a": false])
    // It is scanned at once.
    #expect(agenda.isEmpty && due(9_000) == [:])
  }

  @Test mutating func `when the writer has finished, 25 ms are enough`() {
    agenda.plan("a", isComplete: true, now: 1_000)
    #expect(agenda.delay(now: 1_000) == 25)
    #expect(due(1_024) == [:])
    #expect(due(1_025) == ["a": true])
  }

  @Test mutating func `each event puts the scan off`() {
    agenda.plan("a", isComplete: false, now: 0)
    agenda.plan("a", isComplete: false, now: 40)
    #expect(due(89) == [:])
    agenda.plan("a", isComplete: true, now: 89)
    #expect(due(113) == [:])
    // The last one says whether the writer has finished.
    #expect(due(114) == ["a": true])
    agenda.plan("a", isComplete: true, now: 200)
    agenda.plan("a", isComplete: false, now: 210)
    #expect(due(259) == [:])
    #expect(due(260) == ["a": false])
  }

  @Test(arguments: [false, true])
  mutating func `a name that never rests is scanned after two seconds, as it is`(
    isComplete: Bool
  ) {
    for time in stride(from: Int64(0), through: 1_990, by: 10) {
      agenda.plan("a", isComplete: isComplete, now: time)
      #expect(due(time) == [:])
    }
    #expect(agenda.delay(now: 1_990) == 10)
    #expect(due(1_999) == [:])
    #expect(due(2_000) == ["a": true])
    // Then the time begins anew.
    agenda.plan("a", isComplete: false, now: 2_010)
    #expect(self.due(2_059) == [:])
    #expect(self.due(2_060) == ["a": false])
  }

  @Test mutating func `names do not wait for each other`() {
    agenda.plan("a", isComplete: false, now: 0)
    agenda.plan("b", isComplete: true, now: 10)
    #expect(agenda.delay(now: 10) == 25)
    #expect(due(35) == ["b": true])
    #expect(due(50) == ["a": false])
  }

  @Test mutating func `a planned scan is due at its time`() {
    agenda.plan("a", at: 5_000)
    #expect(agenda.delay(now: 1_000) == 4_000)
    #expect(due(4_999) == [:])
    // An overdue scan is due now.
    #expect(agenda.delay(now: 6_000) == 0)
    #expect(due(6_000) == ["a": false])
  }

  @Test mutating func `of two planned scans the earlier one is due`() {
    agenda.plan("a", at: 5_000)
    agenda.plan("a", at: 3_000)
    agenda.plan("a", at: 4_000)
    #expect(due(2_999) == [:])
    #expect(due(3_000) == ["a": false])
    #expect(agenda.isEmpty)
  }

  @Test mutating func `an event brings forward a scan that is planned for later`() {
    agenda.plan("a", at: 60_000)
    agenda.plan("a", isComplete: true, now: 1_000)
    #expect(due(1_024) == [:])
    #expect(due(1_025) == ["a": true])
    #expect(agenda.isEmpty)
    // A file that is fixed before it is read once more has its time to settle.
    agenda.plan([("a", 70_000)], now: 60_000)
    agenda.plan("a", isComplete: false, now: 65_000)
    #expect(due(65_049) == [:])
    #expect(due(65_050) == ["a": false])
  }

  @Test mutating func `a file that changes at every scan is read as it is after two seconds`() {
    var settled: [Bool?] = []
    for time in stride(from: Int64(100), through: 2_100, by: 50) {
      agenda.plan([("a", time)], now: max(100, time - 50))
      settled.append(due(time)["a"])
    }
    #expect(settled == Array(repeating: false, count: 40) + [true])
  }

  @Test mutating func `the first plan says when a file began to change`() {
    agenda.plan([("a", 150)], now: 100)
    agenda.plan([("a", 150)], now: 120)
    // Two seconds after that it is read as it is.
    agenda.plan("a", isComplete: false, now: 2_060)
    #expect(due(2_099) == [:])
    #expect(due(2_100) == ["a": true])
  }

  @Test mutating func `a scan that is repeated much later does not mean that a file is changing`() {
    agenda.plan("a", isComplete: false, now: 0)
    #expect(due(50) == ["a": false])
    agenda.plan([("a", 5_000)], now: 60)
    #expect(due(5_000) == ["a": false])
    // Nor does a change that another scan has found settled.
    agenda.plan([("a", 5_050)], now: 5_000)
    #expect(due(5_050) == ["a": false])
  }

  @Test mutating func `a scan knows the names that its events mentioned`() {
    agenda.plan("a", named: "A.json", isComplete: false, now: 0)
    agenda.plan("a", named: "a.hosts", isComplete: false, now: 10)
    agenda.plan("a", isComplete: true, now: 20)
    #expect(agenda.takeDue(now: 45)["a"]?.names == ["A.json", "a.hosts"])
    agenda.plan("a", at: 50)
    #expect(agenda.takeDue(now: 50)["a"]?.names == [])
  }

  @Test mutating func `an empty agenda waits for nothing`() {
    #expect(agenda.delay(now: 0) == nil && agenda.isEmpty)
    #expect(agenda.takeDue(now: 0).isEmpty)
  }

  @Test func `a failed read is repeated with growing pauses, at least once a minute`() {
    let pauses = (1...9).map { retryPause(afterFailures: $0) }
    #expect(
      pauses == [1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000])
    #expect(retryPause(afterFailures: .max) == 60_000)
    // No caller counts that far, but the pause stays.
    #expect(retryPause(afterFailures: 0) == 1_000)
    #expect(retryPause(afterFailures: .min) == 1_000)
  }
}
