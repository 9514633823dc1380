/// A pattern, with what exploring its language needs besides its automaton.
struct LanguagePattern: Sendable {
  let automaton: PatternAutomaton
  let acceptsEmpty: Bool
  /// For each ASCII character a number that is the same for those that the automaton treats alike.
  let kinds: [UInt16]

  init(_ automaton: PatternAutomaton) {
    self.automaton = automaton
    acceptsEmpty = automaton.isAccepting(automaton.initialStates)
    var numbers: [ArraySlice<UInt64>: UInt16] = [:]
    var kindOfClass: [UInt16] = []
    for number in 0..<automaton.classCount {
      let start = number * automaton.wordCount
      let mask = automaton.masks[start..<start + automaton.wordCount]
      let next = UInt16(truncatingIfNeeded: numbers.count)
      kindOfClass.append(numbers[mask] ?? next)
      if numbers[mask] == nil { numbers[mask] = next }
    }
    kinds = (0..<128).map { kindOfClass[automaton.symbolClass(of: $0)] }
  }
}

extension PatternAutomaton {
  /// One step of a set of states that stands in flat memory, in place.
  ///
  /// Returns whether any state is left.
  @inline(__always)
  func step(in memory: inout [UInt64], at start: Int, symbol: UInt32) -> Bool {
    let base = symbolClass(of: symbol) * wordCount
    var carry: UInt64 = 0
    var any: UInt64 = 0
    for word in 0..<wordCount {
      let current = memory[start + word]
      let moving = current & masks[base + word]
      let next = moving << 1 | carry | current & looping[word]
      carry = moving >> 63
      memory[start + word] = next
      any |= next
    }
    if any != 0, !jumps.isEmpty { followJumps(in: &memory, at: start) }
    return any != 0
  }

  private func followJumps(in memory: inout [UInt64], at start: Int) {
    for word in jumping.indices {
      var done: UInt64 = 0
      while true {
        let pending = memory[start + word] & jumping[word] & ~done
        if pending == 0 { break }
        let bit = pending.trailingZeroBitCount
        done |= 1 << UInt64(bit)
        let state = word * 64 + bit
        for jump in Int(jumpStarts[state])..<Int(jumpStarts[state + 1]) {
          memory[start + Int(jumps[jump].word)] |= jumps[jump].mask
        }
      }
    }
  }

  @inline(__always)
  func isAccepting(in memory: [UInt64], at start: Int) -> Bool {
    for word in 0..<wordCount where memory[start + word] & accepting[word] != 0 { return true }
    return false
  }

  @inline(__always)
  func isUniversal(in memory: [UInt64], at start: Int) -> Bool {
    for word in 0..<wordCount where memory[start + word] & universal[word] != 0 { return true }
    return false
  }
}
