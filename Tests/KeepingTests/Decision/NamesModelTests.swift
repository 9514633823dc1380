import TestRunning
import Testing

@testable import Keeping

/// Random histories of names, decided by the keeper of the product and by a second, plain statement of
/// its rules.
@Suite struct NamesModelTests {
  /// The rules, with sets and no counters.
  struct Plain {
    var known: Set<Int>
    var reference: Set<Int>
    var came: [Int: Int64] = [:]
    var since: [Int: Int64] = [:]
    var isHeld = false
    /// The names of the reference that went missing, and those that came back, since the last time
    /// that none was missing; and when the last name was added to one of these sets.
    var missed: Set<Int> = []
    var returned: Set<Int> = []
    var lastChange: Int64 = 0
    var quietSince: Int64 = 0

    init(_ names: Set<Int>) { (known, reference) = (names, names) }

    var missing: Set<Int> { Set(since.keys) }

    mutating func look(_ present: Set<Int>, at now: Int64, withdrawAfter: Int64) {
      for name in known.subtracting(present).subtracting(missing).sorted() {
        if reference.isDisjoint(with: missing), now - quietSince >= 60_000 {
          reference = known.filter {
            since[$0] == nil && (reference.contains($0) || now - (came[$0] ?? 0) >= withdrawAfter)
          }
        }
        since[name] = now
        if reference.contains(name), missed.insert(name).inserted { lastChange = now }
      }
      for name in present.subtracting(known) {
        known.insert(name)
        came[name] = now
      }
      for name in present where since[name] != nil {
        if reference.contains(name), returned.insert(name).inserted { lastChange = now }
        end(name, at: now)
      }
      if reference.isDisjoint(with: missing) { isHeld = false }
      let overdue = missing.filter { name in
        let start = max(since[name] ?? 0, reference.contains(name) ? lastChange : 0)
        return now >= start + withdrawAfter
      }
      let lost = reference.subtracting(known.subtracting(missing))
      if reference.count >= 4, lost.count * 2 > reference.count, !overdue.isEmpty { isHeld = true }
      let gone = isHeld ? overdue.subtracting(reference) : overdue
      for name in gone { withdraw(name, at: now) }
    }

    mutating func confirm(at now: Int64) {
      guard isHeld else { return }
      for name in reference.intersection(missing) { withdraw(name, at: now) }
      reference.formIntersection(known)
      isHeld = false
    }

    private mutating func withdraw(_ name: Int, at now: Int64) {
      known.remove(name)
      end(name, at: now)
    }

    private mutating func end(_ name: Int, at now: Int64) {
      since[name] = nil
      guard reference.contains(name), reference.isDisjoint(with: missing) else { return }
      (quietSince, missed, returned) = (now, [], [])
    }
  }

  @Test func `what is served after any history follows from the rules`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<rounds(20, stress: 2_000) {
      let seed = UInt64.random(in: 0 ... .max, using: &random)
      if let difference = difference(seed: seed) {
        Issue.record("the two differ in the history of seed \(seed): \(difference)")
        return
      }
    }
  }

  /// The first difference between the two in the history of a seed; nil if there is none.
  private func difference(seed: UInt64) -> String? {
    var story: [String] = []
    var numbers = Numbers(state: seed)
    var present = Set(0..<numbers.next(below: 9))
    var plain = Plain(present)
    var real = NamesInFolder<DomainKeeper>(present.count)
    real.hasOtherFiles = true
    for _ in 0..<200 {
      real.now += [0, 100, 700, 1_000, 3_000, 5_000, 61_000][numbers.next(below: 7)]
      switch numbers.next(below: 12) {
      case 0: present = []
      case 1: present = Set(0..<numbers.next(below: 9))
      case 2:
        plain.confirm(at: real.now)
        real.confirm()
      case 3...6: present.remove(numbers.next(below: 12))
      case 7...9: present.insert(numbers.next(below: 12))
      default: break
      }
      plain.look(present, at: real.now, withdrawAfter: NamesInFolder<DomainKeeper>.withdrawAfter)
      real.names = present
      real.look()
      story.append(
        "\(real.now - 1_000_000): \(present.sorted()) -> \(real.served.sorted()) \(real.isHeld)")
      guard real.served == plain.known, real.isHeld == plain.isHeld else {
        return "\(plain.known.sorted()) \(plain.isHeld) is right after\n"
          + story.suffix(12).joined(separator: "\n")
      }
    }
    return nil
  }

  /// The numbers of a seed (SplitMix64).
  private struct Numbers {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return Int((mixed ^ mixed >> 31) % UInt64(limit))
    }
  }
}
