/// Leaves states out of a set that add nothing to what it accepts, so that fewer sets differ.
struct StateReduction {
  /// All states but those that do nothing but jump: once their jumps are followed they say nothing
  /// more (the ends of a variable's values, which all lead to the same place).
  private let lasting: [UInt64]
  /// Looping states that every text passes which the states before them accept. Whatever is accepted
  /// from one of these is accepted from there as well, since it takes any characters first.
  private let passed: [UInt64]
  private let universal: [UInt64]

  init(_ automaton: PatternAutomaton) {
    universal = automaton.universal
    var reading = [UInt64](repeating: 0, count: automaton.wordCount)
    for row in 0..<automaton.classCount {
      for word in reading.indices {
        reading[word] |= automaton.masks[row * automaton.wordCount + word]
      }
    }
    lasting = reading.indices.map { word in
      reading[word] | automaton.looping[word] | automaton.accepting[word]
        | ~automaton.jumping[word]
    }
    passed = Self.passed(automaton)
  }

  private static func passed(_ automaton: PatternAutomaton) -> [UInt64] {
    var passed = [UInt64](repeating: 0, count: automaton.wordCount)
    // The farthest state that one before jumps to, and whether a text may end before.
    var farthest = 0
    var mayEnd = false
    for state in 0..<automaton.stateCount {
      let (word, bit) = (state / 64, UInt64(1) << UInt64(state % 64))
      let isAccepting = automaton.accepting[word] & bit != 0
      if automaton.looping[word] & bit != 0, farthest <= state, isAccepting || !mayEnd {
        passed[word] |= bit
      }
      if isAccepting { mayEnd = true }
      guard automaton.jumping[word] & bit != 0 else { continue }
      for jump in Int(automaton.jumpStarts[state])..<Int(automaton.jumpStarts[state + 1]) {
        let last = 63 - automaton.jumps[jump].mask.leadingZeroBitCount
        farthest = max(farthest, Int(automaton.jumps[jump].word) * 64 + last)
      }
    }
    return passed
  }

  func reduce(_ set: inout [UInt64]) {
    for word in set.indices where set[word] & universal[word] != 0 {
      // Everything is accepted: all such sets are one.
      for other in set.indices { set[other] = 0 }
      let first = universal.firstIndex { $0 != 0 } ?? word
      set[first] = universal[first] & ~(universal[first] - 1)
      return
    }
    for word in set.indices.reversed() {
      let last = set[word] & passed[word]
      if last != 0 {
        let bit = UInt64(1) << UInt64(63 - last.leadingZeroBitCount)
        set[word] &= ~(bit - 1)
        for earlier in 0..<word { set[earlier] = 0 }
        break
      }
    }
    for word in set.indices { set[word] &= lasting[word] }
  }
}
