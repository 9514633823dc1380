import Catalog
import Glibc
import Posix
import Testing

@testable import Keeping

/// What a kept folder serves while its names come and go: pure, with a false clock. Each name is
/// scanned every 100 milliseconds.
@Suite struct AbsenceScenarioTests {
  /// Milliseconds for which a name must be missing.
  static let withdrawAfter: Int64 = 5_000

  enum Step {
    /// These names are written, one after each pause in milliseconds.
    case write(Range<Int>, every: Int64 = 0)
    case remove(Range<Int>, every: Int64 = 0)
    case wait(seconds: Int64)
    case confirm
    /// The number of names that are served, and whether a loss is held.
    case expect(served: Int, isHeld: Bool = false)
  }

  struct Scenario: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let names: Int
    let steps: [Step]

    init(_ description: String, _ names: Int, _ steps: [Step]) {
      testDescription = description
      self.names = names
      self.steps = steps
    }
  }

  /// A folder, what is served of it, and the time.
  struct Run {
    var folder = KeptFolder<Int>(
      "domains", kinds: (.manyNamesMissing, .domainsFolderUnreadable), at: "/none",
      naming: \.description)
    var files: Set<Int>
    var served: Set<Int>
    var fewestServed: Int
    var now: Int64 = 1_000_000

    init(_ count: Int) {
      files = Set(0..<count)
      served = files
      fewestServed = count
    }

    var time: Circumstances {
      Circumstances(
        now: now, withdrawAfter: folder.isConfirmed ? 0 : AbsenceScenarioTests.withdrawAfter)
    }

    mutating func write(_ name: Int) {
      files.insert(name)
      if served.insert(name).inserted {
        folder.add(name, time)
      } else {
        folder.find(name, now: now)
      }
    }

    mutating func remove(_ name: Int) {
      files.remove(name)
      folder.miss(name, known: served.count, time)
    }

    mutating func look() {
      _ = folder.look(
        .success(files), known: served.count, [], isExpected: true, time,
        lost: { _ in [] },
        describe: { (device: 1, isEmpty: $0.isEmpty) })
      guard case .names(let gone) = folder.withdrawal(known: served.count, time) else { return }
      for name in gone {
        served.remove(name)
        folder.withdraw(name)
      }
      fewestServed = min(fewestServed, served.count)
    }

    mutating func wait(_ milliseconds: Int64) {
      let end = now + milliseconds
      while now < end {
        now = min(now + 100, end)
        look()
      }
    }
  }

  static let scenarios = [
    Scenario(
      "one of many is removed", 20,
      [
        .remove(0..<1), .wait(seconds: 4), .expect(served: 20), .wait(seconds: 2),
        .expect(served: 19),
      ]),
    Scenario(
      "every name is replaced by another one, the new ones first", 20,
      [.write(20..<40), .remove(0..<20), .wait(seconds: 60), .expect(served: 40, isHeld: true)]),
    Scenario(
      "every name is replaced by another one, the old ones first", 20,
      [.remove(0..<20), .write(20..<40), .wait(seconds: 60), .expect(served: 40, isHeld: true)]),
    Scenario(
      "the new names come some seconds before", 20,
      [
        .write(20..<60), .wait(seconds: 4), .remove(0..<20), .wait(seconds: 60),
        .expect(served: 60, isHeld: true),
      ]),
    Scenario(
      "half of the names are replaced", 20,
      [.write(20..<30), .remove(0..<10), .wait(seconds: 60), .expect(served: 20)]),
    Scenario(
      "names that came a moment ago are no loss", 4,
      [.write(4..<20), .wait(seconds: 1), .remove(4..<20), .wait(seconds: 60), .expect(served: 4)]
    ),
    Scenario(
      "names that have been there for a while are one", 4,
      [
        .write(4..<20), .wait(seconds: 6), .remove(4..<20), .wait(seconds: 60),
        .expect(served: 20, isHeld: true),
      ]),
    Scenario(
      "everything is removed slowly", 200,
      [.remove(0..<200, every: 100), .wait(seconds: 60), .expect(served: 200, isHeld: true)]),
    Scenario(
      "everything is removed, and copied again within half a minute", 300,
      [
        .remove(0..<300), .wait(seconds: 6), .expect(served: 300, isHeld: true),
        .write(0..<300, every: 100), .wait(seconds: 2), .expect(served: 300),
      ]),
    Scenario(
      "everything is removed, and copied again within ten minutes", 300,
      [.remove(0..<300), .write(0..<300, every: 2_000), .wait(seconds: 2), .expect(served: 300)]),
    Scenario(
      "a loss stays held until nothing is missing", 20,
      [
        .remove(0..<15), .wait(seconds: 6), .write(0..<10), .wait(seconds: 600),
        .expect(served: 20, isHeld: true), .write(10..<15), .wait(seconds: 2), .expect(served: 20),
        .remove(0..<1), .wait(seconds: 6), .expect(served: 19),
      ]),
    Scenario(
      "a loss is confirmed", 20,
      [
        .remove(0..<15), .wait(seconds: 6), .expect(served: 20, isHeld: true), .confirm,
        .wait(seconds: 1), .expect(served: 5), .remove(15..<16), .wait(seconds: 4),
        .expect(served: 5), .wait(seconds: 2), .expect(served: 4),
      ]),
    Scenario(
      "three of three are removed, and the folder is empty", 3,
      [.remove(0..<3), .wait(seconds: 60), .expect(served: 3, isHeld: true)]),
    Scenario(
      "of three that are away two come back", 3,
      [
        .remove(0..<3), .wait(seconds: 6), .expect(served: 3, isHeld: true), .write(0..<2),
        .wait(seconds: 4), .expect(served: 3), .wait(seconds: 2), .expect(served: 2),
      ]),
    Scenario(
      "three of three are removed, and come back one after the other", 3,
      [
        .remove(0..<3), .wait(seconds: 6), .expect(served: 3, isHeld: true),
        .write(0..<2, every: 4_000), .expect(served: 3), .write(2..<3), .wait(seconds: 60),
        .expect(served: 3),
      ]),
    Scenario(
      "of four that are away one comes back, and the others have time again", 20,
      [
        .remove(0..<4), .wait(seconds: 4), .write(0..<1), .wait(seconds: 4), .expect(served: 20),
        .wait(seconds: 2), .expect(served: 17),
      ]),
    Scenario(
      "names are removed for longer than one act takes", 200,
      [.remove(0..<30, every: 4_000), .expect(served: 171)]),
    Scenario(
      "names are removed for so long that most of them are gone", 40,
      [.remove(0..<39, every: 4_000), .expect(served: 21, isHeld: true)]),
    Scenario(
      "two of three are removed", 3,
      [.remove(0..<2), .wait(seconds: 6), .expect(served: 1)]),
    Scenario(
      "one after the other, each long after the one before", 8,
      [.remove(0..<8 - 1, every: 6_000), .wait(seconds: 60), .expect(served: 1)]),
  ]

  @Test(arguments: scenarios)
  func `what is served while names come and go`(_ scenario: Scenario) {
    var run = Run(scenario.names)
    for step in scenario.steps {
      switch step {
      case .write(let names, let pause):
        for name in names {
          run.write(name)
          run.wait(pause)
        }
      case .remove(let names, let pause):
        for name in names {
          run.remove(name)
          run.wait(pause)
        }
      case .wait(let seconds): run.wait(seconds * 1000)
      case .confirm:
        #expect(run.folder.confirm([run.folder.hold?.id ?? ""]) != nil)
        run.look()
        run.folder.release()
      case .expect(let served, let isHeld):
        #expect(run.served.count == served)
        #expect((run.folder.held != nil) == isHeld)
      }
    }
  }

  @Test func `nothing is withdrawn at any time while everything is copied again`() {
    for pause: Int64 in [0, 100, 1_000, 4_000] {
      var run = Run(100)
      for name in 0..<100 { run.remove(name) }
      for name in 0..<100 {
        run.write(name)
        run.wait(pause)
      }
      #expect(run.fewestServed == 100, "\(pause) ms")
    }
  }

  @Test func `what is missing has time again after the folder could not be read`() {
    var run = Run(20)
    run.remove(0)
    run.wait(4_000)
    _ = run.folder.look(
      Result<Set<Int>, SystemError>.failure(SystemError("open", "/none", code: EACCES)),
      known: 20, [], isExpected: true, run.time, lost: { _ in [] },
      describe: { (device: 1, isEmpty: $0.isEmpty) })
    #expect(run.folder.held == .unreadable)
    run.now += 60_000
    run.wait(4_000)
    #expect(run.served.count == 20 && run.folder.held == nil)
    run.wait(2_000)
    #expect(run.served.count == 19)
  }

  @Test func `a withdrawal that is put off is tried again a moment later`() {
    var run = Run(20)
    run.remove(0)
    #expect(run.folder.nextWithdrawal(withdrawAfter: 5_000) == run.now + 5_000)
    run.now += 6_000
    let isDue = run.folder.isWithdrawalDue(run.time)
    #expect(isDue)
    #expect(
      run.folder.nextWithdrawal(withdrawAfter: 5_000) == run.now + ObservationLimits.settlingTime)
  }

  @Test func `what vanishes while a loss is confirmed is not confirmed`() {
    var run = Run(20)
    for name in 0..<15 { run.remove(name) }
    run.wait(6_000)
    #expect(run.folder.confirm([run.folder.hold?.id ?? ""]) != nil)
    run.remove(15)
    run.look()
    run.folder.release()
    #expect(run.served == Set(15..<20))
    run.wait(60_000)
    #expect(run.served.contains(15) && run.folder.hold != nil)
  }

  @Test func `the ID of a hold changes when the loss grows`() {
    var run = Run(20)
    for name in 0..<12 { run.remove(name) }
    run.wait(6_000)
    let first = run.folder.hold?.id
    #expect(first != nil)
    run.wait(6_000)
    #expect(run.folder.hold?.id == first)
    run.remove(12)
    run.wait(6_000)
    #expect(run.folder.hold?.id != first)
    #expect(run.folder.confirm([first ?? ""]) == nil)
  }
}
