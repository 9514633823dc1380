/// Running an automaton, for matching and for questions about its language.
extension PatternAutomaton {
  /// Whether the pattern matches the whole text, given as Unicode scalars.
  package func matches(_ text: Span<UInt32>) -> Bool {
    if wordCount == 1 && jumps.isEmpty { return matchesInOneWord(text) }
    var set = initialStates
    for index in text.indices {
      if isUniversal(set) { return true }
      set = step(set, symbolClass: symbolClass(of: text[index]))
      if set.isEmpty { return false }
    }
    return isAccepting(set)
  }

  /// The same for most patterns: their sets of states are single words.
  private func matchesInOneWord(_ text: Span<UInt32>) -> Bool {
    let (looping, universal) = (looping[0], universal[0])
    var set = initial[0]
    for index in text.indices {
      if set & universal != 0 { return true }
      set = (set & masks[symbolClass(of: text[index])]) << 1 | set & looping
      if set == 0 { return false }
    }
    return set & accepting[0] != 0
  }

  /// Whether a character of the class leads to any state from those of the set.
  func leadsOn(_ set: StateSet, symbolClass: Int) -> Bool {
    let base = symbolClass * wordCount
    return set.words.indices.contains { set.words[$0] & (masks[base + $0] | looping[$0]) != 0 }
  }

  /// The states that a character of the class leads to from those of the set.
  package func step(_ set: StateSet, symbolClass: Int) -> StateSet {
    var next = [UInt64](repeating: 0, count: wordCount)
    let base = symbolClass * wordCount
    var carry: UInt64 = 0
    // The last state has no successor, so nothing is carried out of the last word.
    for word in 0..<wordCount {
      let moving = set.words[word] & masks[base + word]
      next[word] = moving << 1 | carry | set.words[word] & looping[word]
      carry = moving >> 63
    }
    if !jumps.isEmpty { followJumps(&next) }
    return StateSet(words: next)
  }

  /// Adds the states that those of the set jump to. One pass is enough, because all jumps go to
  /// greater numbers.
  private func followJumps(_ set: inout [UInt64]) {
    for word in set.indices {
      var done: UInt64 = 0
      while true {
        let pending = set[word] & jumping[word] & ~done
        if pending == 0 { break }
        let bit = pending.trailingZeroBitCount
        done |= 1 << UInt64(bit)
        let state = word * 64 + bit
        for jump in jumps[Int(jumpStarts[state])..<Int(jumpStarts[state + 1])] {
          set[Int(jump.word)] |= jump.mask
        }
      }
    }
  }
}
