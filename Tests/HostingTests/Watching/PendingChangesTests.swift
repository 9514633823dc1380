import Posix
import Testing

@testable import Hosting

@Suite struct PendingChangesTests {
  typealias Change = DirectoryWatcher.Event.Change

  struct Event {
    let time: Int64
    let change: Change
    var isComplete = true
  }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    let events: [Event]
    /// When it may be read, from the first event on.
    let due: Int64

    init(_ testDescription: String, _ events: [Event], due: Int64) {
      self.testDescription = testDescription
      self.events = events
      self.due = due
    }
  }

  static let rows = [
    // complete as they are: only what belongs together is gathered
    Row("written", [Event(time: 0, change: .written)], due: 5),
    Row("moved in", [Event(time: 0, change: .movedIn)], due: 5),
    Row("overflow", [Event(time: 0, change: .overflow)], due: 5),
    Row("a link or folder", [Event(time: 0, change: .created, isComplete: true)], due: 5),
    // not complete: its closing ends the wait, or quiet does
    Row("a file just made", [Event(time: 0, change: .created, isComplete: false)], due: 500),
    Row("being written", [Event(time: 0, change: .writing)], due: 500),
    Row(
      "written in one go",
      [
        Event(time: 0, change: .created, isComplete: false), Event(time: 1, change: .writing),
        Event(time: 2, change: .written),
      ], due: 7),
    Row(
      "written slowly",
      [
        Event(time: 0, change: .created, isComplete: false), Event(time: 400, change: .writing),
        Event(time: 800, change: .writing), Event(time: 1_200, change: .written),
      ], due: 1_205),
    Row(
      "a writer that never closes",
      [Event(time: 0, change: .writing), Event(time: 300, change: .writing)], due: 800),
    // removed: perhaps to be written again
    Row("removed", [Event(time: 0, change: .removed)], due: 50),
    Row("the folder went", [Event(time: 0, change: .directoryGone)], due: 50),
    Row("another mode or time", [Event(time: 0, change: .attributes)], due: 50),
    Row(
      "removed and written", [Event(time: 0, change: .removed), Event(time: 10, change: .written)],
      due: 15),
    Row(
      "removed and moved in", [Event(time: 0, change: .removed), Event(time: 1, change: .movedIn)],
      due: 6),
    Row(
      "removed, made and being written",
      [
        Event(time: 0, change: .removed), Event(time: 10, change: .created, isComplete: false),
        Event(time: 20, change: .writing),
      ], due: 520),
    // the attributes of a file that is being written say nothing about its being complete
    Row(
      "attributes while written",
      [Event(time: 0, change: .writing), Event(time: 10, change: .attributes)], due: 500),
    Row(
      "removed after written",
      [Event(time: 0, change: .written), Event(time: 1, change: .removed)], due: 51),
  ]

  @Test(arguments: rows)
  func `a change is due when the file is quiet, and no sooner`(_ row: Row) {
    let key = WatchKey(folder: .domains, name: "a")
    let other = WatchKey(folder: .certificates, name: "a")
    var pending = PendingChanges()
    let start: Int64 = 1_000_000
    for event in row.events {
      let now = start + event.time
      #expect(pending.takeDue(now: now) == [])
      pending.note(key, event.change, isComplete: event.isComplete, now: now)
    }
    // Another key has no part in it.
    pending.note(other, .writing, isComplete: true, now: start + row.due)
    let end = start + row.due
    #expect(pending.takeDue(now: end - 1) == [])
    #expect(pending.delay(now: end - 1) == 1)
    #expect(pending.takeDue(now: end) == [key])
    #expect(!pending.contains(key) && pending.contains(other))
    // Once only.
    #expect(pending.takeDue(now: end + 100) == [])
    #expect(pending.delay(now: end) == 500)
    #expect(pending.takeDue(now: end + 500) == [other])
    #expect(pending.isEmpty && pending.delay(now: end) == nil)
  }

  @Test func `what is overdue is due at once`() {
    var pending = PendingChanges()
    pending.note(.all(.domains), .written, isComplete: true, now: 0)
    #expect(pending.delay(now: 1_000) == 0)
    #expect(pending.takeDue(now: 1_000) == [.all(.domains)])
  }
}

@Suite struct PollingRoundTests {
  static func key(_ name: String) -> WatchKey { WatchKey(folder: .domains, name: name) }

  struct Row: CustomTestStringConvertible {
    let testDescription: String
    /// What each round after the first sees of one file that was 1; nil when it is not there.
    let seen: [Int?]
    /// The rounds that tell of a change.
    let changed: [Int]

    init(_ testDescription: String, _ seen: [Int?], changed: [Int]) {
      self.testDescription = testDescription
      self.seen = seen
      self.changed = changed
    }
  }

  static let rows = [
    Row("nothing changes", [1, 1, 1], changed: []),
    Row("it changes once", [2, 2, 2], changed: [1]),
    // different in each round: it is being written
    Row("it is being written", [2, 3, 4, 4, 4], changed: [3]),
    Row("it changes for a moment", [2, 1, 1], changed: []),
    Row("it changes to and fro", [2, 1, 2, 1], changed: []),
    Row("it changes twice", [2, 2, 3, 3], changed: [1, 3]),
    Row("it goes", [nil, nil, nil], changed: [1]),
    // replaced by removing and writing
    Row("it is away for a round", [nil, 1, 1], changed: []),
    Row("it comes back changed", [nil, 2, 2], changed: [2]),
    Row("it goes and comes", [nil, nil, 1, 1], changed: [1, 3]),
  ]

  @Test(arguments: rows)
  func `a change counts when two rounds have seen it`(_ row: Row) {
    var rounds = PollingRounds()
    let key = Self.key("a")
    let other = Self.key("b")
    // The first round has everything looked at once, what is no more there included.
    #expect(rounds.takeChanged([key: 1, other: 7]) == [.all(.domains), .all(.certificates)])
    var changed: [Int] = []
    for (index, value) in row.seen.enumerated() {
      var observations = [other: 7]
      observations[key] = value
      let found = rounds.takeChanged(observations)
      #expect(found.isEmpty || found == [key])
      if !found.isEmpty { changed.append(index) }
    }
    #expect(changed == row.changed)
  }

  @Test func `a file that comes counts when two rounds have seen it`() {
    var rounds = PollingRounds()
    _ = rounds.takeChanged([:])
    #expect(rounds.takeChanged([Self.key("a"): 1]) == [])
    #expect(rounds.takeChanged([Self.key("a"): 1]) == [Self.key("a")])
    #expect(rounds.takeChanged([Self.key("a"): 1]) == [])
  }

  @Test func `another file than the one that was read counts, whatever is in it`() {
    var rounds = PollingRounds()
    let key = Self.key("a")
    _ = rounds.takeChanged([key: 1])
    // Read while it was 2, and back before a round saw that.
    #expect(rounds.takeChanged([key: 1], stale: [key]) == [key])
    #expect(rounds.takeChanged([key: 1]) == [])
    // Not while it is being written.
    #expect(rounds.takeChanged([key: 2], stale: [key]) == [])
    #expect(rounds.takeChanged([key: 3], stale: [key]) == [])
    #expect(rounds.takeChanged([key: 3], stale: [key]) == [key])
    // What is not polled is others' matter.
    #expect(rounds.takeChanged([key: 3], stale: [Self.key("b")]) == [])
  }

  @Test func `two rounds fit into a second, and long ones leave time between them`() {
    var rounds = PollingRounds()
    #expect(rounds.nextRound == 0)
    rounds.endRound(began: 1_000, ended: 1_010)
    #expect(rounds.nextRound == 1_310)
    rounds.endRound(began: 1_000, ended: 3_000)
    #expect(rounds.nextRound == 11_000)
  }
}
