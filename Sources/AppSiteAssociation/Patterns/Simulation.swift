/// Memory for running automata: reused, so that matching allocates nothing once it has grown.
package struct Simulation {
  /// Two sets of states, one after the other; all zero between runs.
  fileprivate var sets: [UInt64] = []

  package init() {}

  fileprivate mutating func reserve(_ words: Int) {
    if sets.count < 2 * words { sets = [UInt64](repeating: 0, count: 2 * words) }
  }
}

extension PatternAutomaton {
  /// Whether the pattern matches the whole text, given as Unicode scalars.
  package func matches(_ text: Span<UInt32>, _ simulation: inout Simulation) -> Bool {
    if wordCount == 1 && jumps.isEmpty { return matchesInOneWord(text) }
    simulation.reserve(wordCount)
    var sets = simulation.sets.mutableSpan
    var active = ActiveWords(base: 0, words: initialWords)
    for word in active.words { sets[word] = initial[word] }
    var isMatch = false
    for index in text.indices {
      if meets(sets, active, universal) {
        isMatch = true
        break
      }
      advance(&sets, &active, symbolClass(of: text[index]))
      if active.words.isEmpty { return false }
    }
    isMatch = isMatch || meets(sets, active, accepting)
    for word in active.words { sets[active.base + word] = 0 }
    return isMatch
  }

  private func matchesInOneWord(_ text: Span<UInt32>) -> Bool {
    let only = only
    let masks = masks
    var set = only.initial
    for index in text.indices {
      if set & only.universal != 0 { return true }
      set = (set & masks[symbolClass(of: text[index])]) << 1 | set & only.looping
      if set == 0 { return false }
    }
    return set & only.accepting != 0
  }

  /// The part of a buffer that holds a set of states: all words outside of `words` are zero.
  private struct ActiveWords {
    /// Where the set begins in the buffer: at its first or at its second half.
    var base: Int
    var words: Range<Int>
  }

  @inline(__always)
  private func meets(
    _ sets: borrowing MutableSpan<UInt64>, _ active: ActiveWords, _ other: [UInt64]
  ) -> Bool {
    for word in active.words where sets[active.base + word] & other[word] != 0 { return true }
    return false
  }

  /// One step of all states: reads one half of the buffer and leaves it zero, writes the other.
  private func advance(
    _ sets: inout MutableSpan<UInt64>, _ active: inout ActiveWords, _ symbolClass: Int
  ) {
    let masks = masks
    let looping = looping
    let from = active.base
    let to = wordCount - from
    let classBase = symbolClass * wordCount
    var carry: UInt64 = 0
    var first = Int.max
    var end = 0
    for word in active.words {
      let set = sets[from + word]
      sets[from + word] = 0
      let moving = set & masks[classBase + word]
      let next = moving << 1 | carry | set & looping[word]
      carry = moving >> 63
      if next == 0 { continue }
      sets[to + word] = next
      first = min(first, word)
      end = word + 1
    }
    // The last state of all leads nowhere, so there is a word to carry into.
    if carry != 0 {
      let word = active.words.upperBound
      sets[to + word] = carry
      first = min(first, word)
      end = word + 1
    }
    active = ActiveWords(base: to, words: min(first, end)..<end)
    if !jumps.isEmpty { followJumps(&sets, &active) }
  }

  /// Adds the states that the active ones jump to. All jumps go to greater numbers, so one pass is
  /// enough.
  private func followJumps(_ sets: inout MutableSpan<UInt64>, _ active: inout ActiveWords) {
    let jumping = jumping
    let jumpStarts = jumpStarts
    let jumps = jumps
    var word = active.words.lowerBound
    var end = active.words.upperBound
    while word < end {
      var done: UInt64 = 0
      while true {
        let pending = sets[active.base + word] & jumping[word] & ~done
        if pending == 0 { break }
        let bit = pending.trailingZeroBitCount
        done |= 1 << UInt64(bit)
        let state = word * 64 + bit
        for index in Int(jumpStarts[state])..<Int(jumpStarts[state + 1]) {
          let target = Int(jumps[index].word)
          sets[active.base + target] |= jumps[index].mask
          end = max(end, target + 1)
        }
      }
      word += 1
    }
    active.words = active.words.lowerBound..<end
  }
}

extension PatternAutomaton {
  /// Where a character of the class leads from the states of the set.
  package func step(_ set: StateSet, symbolClass: Int) -> StateSet {
    var buffer = set.words + [UInt64](repeating: 0, count: wordCount)
    var sets = buffer.mutableSpan
    var active = ActiveWords(base: 0, words: 0..<wordCount)
    advance(&sets, &active, symbolClass)
    return StateSet(words: Array(buffer[wordCount...]))
  }
}
