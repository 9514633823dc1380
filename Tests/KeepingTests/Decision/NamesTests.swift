import Testing

@testable import Keeping

/// The names of a folder or list: which are withdrawn, and when. With a false clock.
@Suite struct NamesTests {
  /// Names that are kept, beside the names that are there.
  struct Run {
    var names = Names<Int>(of: "d", naming: \.description)
    var known: Set<Int>
    var now: Int64 = 1_000_000
    static let withdrawAfter: Int64 = 5_000

    init(_ count: Int) { known = Set(0..<count) }

    mutating func miss(_ missing: Range<Int>) {
      for name in missing { names.miss(name, at: now, withdrawAfter: Self.withdrawAfter) }
    }

    mutating func add(_ added: Range<Int>) {
      for name in added where known.insert(name).inserted {
        names.add(name, at: now, withdrawAfter: Self.withdrawAfter)
      }
      for name in added { names.find(name, at: now) }
    }

    /// Returns the names that are withdrawn.
    mutating func decide(after seconds: Int64 = 0, holdsAll: Bool = false) -> Set<Int> {
      now += seconds * 1_000
      let gone = names.decide(
        known: known.count, holdsAll: holdsAll, at: now, withdrawAfter: Self.withdrawAfter)
      for name in gone {
        names.withdraw(name, at: now)
        known.remove(name)
      }
      return Set(gone)
    }
  }

  @Test(arguments: [
    (1, 10, false), (2, 4, false), (3, 4, true), (4, 4, true), (2, 5, false), (3, 5, true),
    // Of fewer than four, each may go.
    (2, 3, false), (3, 3, false), (1, 1, false),
    (50_000, 100_000, false), (50_001, 100_000, true),
  ])
  func `more than half of four or more are held`(missing: Int, known: Int, isHeld: Bool) {
    var run = Run(known)
    run.miss(0..<missing)
    #expect(run.decide(after: 4).isEmpty && run.names.held == nil)
    #expect(run.decide(after: 1).count == (isHeld ? 0 : missing))
    #expect((run.names.held != nil) == isHeld)
  }

  @Test func `a name of the last run is missing until it is seen`() {
    var names = Names<Int>(of: "d", naming: \.description)
    names.remember([1, 2], held: [1, 2], at: 0)
    names.find(1, isSeen: false, at: 1)
    #expect(names.isMissing(1))
    names.find(1, at: 2)
    #expect(!names.isMissing(1))
    // One that was seen is there while nobody can say.
    names.miss(1, at: 3, withdrawAfter: 5)
    names.find(1, isSeen: false, at: 4)
    #expect(!names.isMissing(1))
  }

  @Test func `while missing names come back, none of the others is withdrawn`() {
    var run = Run(8)
    run.miss(0..<8)
    // A slow copy: at the time of a withdrawal only three are missing, so the loss is small.
    run.now += 4_000
    run.add(3..<8)
    #expect(run.decide(after: 2).isEmpty && run.names.held == nil)
    // One that comes and goes delays the others only once.
    run.miss(7..<8)
    run.add(7..<8)
    #expect(run.decide(after: 2).isEmpty)
    #expect(run.decide(after: 1) == [0, 1, 2])
  }

  @Test func `a second slow copy within a minute loses nothing either`() {
    var run = Run(8)
    for _ in 0..<2 {
      run.miss(0..<8)
      run.now += 4_000
      run.add(3..<8)
      #expect(run.decide(after: 2).isEmpty && run.names.held == nil)
      run.add(0..<3)
      #expect(run.decide().isEmpty)
    }
  }

  @Test func `what was withdrawn within the last minute counts as lost`() {
    var run = Run(8)
    for name in 0..<4 {
      run.miss(name..<name + 1)
      #expect(run.decide(after: 6) == [name])
    }
    run.miss(4..<5)
    #expect(run.decide(after: 6).isEmpty && run.names.size(known: run.known.count) == (5, 8))
    // And no longer after a quiet minute.
    run.add(4..<5)
    #expect(run.decide(after: 61).isEmpty && run.names.held == nil)
    run.miss(5..<6)
    #expect(run.decide(after: 6) == [5])
  }

  @Test func `a name that has lost more of itself waits again`() {
    var run = Run(10)
    run.miss(0..<1)
    run.now += 4_000
    run.names.miss(0, isMore: true, at: run.now, withdrawAfter: Run.withdrawAfter)
    #expect(run.decide(after: 4).isEmpty && run.decide(after: 1) == [0])
  }

  @Test func `the names of the last run are held if more than half of them are missing`() {
    for (found, isHeld) in [(2, true), (3, false)] {
      var names = Names<Int>(of: "d", naming: \.description)
      names.remember(Set(0..<5), held: [], at: 0)
      let lost = names.begin(at: 1, isFound: { $0 < found })
      #expect(lost == (isHeld ? Set(found..<5) : []) && names.unseen == lost)
      #expect((names.held != nil) == isHeld)
      // They stay until each is back.
      for name in lost {
        #expect(names.decide(known: 5, at: 900_000, withdrawAfter: 5_000).isEmpty)
        names.add(name, at: 900_000, withdrawAfter: 5_000)
        names.find(name, at: 900_000)
      }
      _ = names.decide(known: 5, at: 900_000, withdrawAfter: 5_000)
      #expect(names.held == nil && names.missing.isEmpty)
    }
  }

  @Test func `a confirmed loss is no part of the next one`() {
    var run = Run(10)
    run.miss(0..<6)
    _ = run.decide(after: 6)
    for name in 0..<6 {
      run.names.withdraw(name, at: run.now)
      run.known.remove(name)
    }
    run.names.endHold()
    run.miss(6..<7)
    #expect(run.decide(after: 6) == [6])
    run.miss(7..<9)
    #expect(run.decide(after: 6).isEmpty && run.names.size(known: run.known.count) == (3, 4))
  }
}
