/// A pattern, with what exploring its language needs: its automaton's tables laid out by character.
///
/// A class, so that explorations share it and hand it around at the cost of one reference.
final class LanguagePattern: Sendable {
  let automaton: PatternAutomaton
  let acceptsEmpty: Bool
  let wordCount: Int
  /// For each ASCII character a number that is the same for those that the automaton treats alike.
  let kinds: [UInt16]
  /// All states but those that do nothing but jump: once their jumps are followed they say nothing
  /// more, and what differs in them only would be explored again and again (the ends of a
  /// variable's values, which all lead to the same place).
  let lasting: [UInt64]
  /// For each ASCII character, and then for one that no pattern names, the states that accept it.
  let masks: [UInt64]

  init(_ automaton: PatternAutomaton) {
    self.automaton = automaton
    wordCount = automaton.wordCount
    acceptsEmpty = automaton.isAccepting(automaton.initialStates)
    lasting = (0..<automaton.wordCount).map { word in
      var reading: UInt64 = 0
      for row in 0..<automaton.classCount {
        reading |= automaton.masks[row * automaton.wordCount + word]
      }
      let used = reading | automaton.looping[word] | automaton.accepting[word]
      return used | ~automaton.jumping[word]
    }
    var kindOfClass = [Int](repeating: -1, count: automaton.classCount)
    var numbers: [ArraySlice<UInt64>: Int] = [:]
    var kinds: [UInt16] = []
    var masks: [UInt64] = []
    kinds.reserveCapacity(128)
    masks.reserveCapacity(129 * automaton.wordCount)
    for symbol in 0...UInt32(128) {
      let symbolClass = symbol < 128 ? automaton.symbolClass(of: symbol) : 0
      let start = symbolClass * automaton.wordCount
      let mask = automaton.masks[start..<start + automaton.wordCount]
      masks += mask
      if symbol == 128 { break }
      // Most characters are of one class: it is looked up once.
      if kindOfClass[symbolClass] < 0 {
        let number = numbers[mask] ?? numbers.count
        numbers[mask] = number
        kindOfClass[symbolClass] = number
      }
      kinds.append(UInt16(truncatingIfNeeded: kindOfClass[symbolClass]))
    }
    self.kinds = kinds
    self.masks = masks
  }

  /// The words of an automaton's tables here.
  static func tableWords(_ automaton: PatternAutomaton) -> Int { 129 * automaton.wordCount }

  /// One step of a set of states that stands in flat memory, in place.
  ///
  /// Returns whether any state is left.
  @inline(__always)
  func step(in memory: inout [UInt64], at start: Int, symbol: UInt32) -> Bool {
    if symbol >= 128 && symbol != TextReader.unnamed {
      return stepOther(in: &memory, at: start, symbol: symbol)
    }
    let base = Int(min(symbol, 128)) * wordCount
    var carry: UInt64 = 0
    var any: UInt64 = 0
    for word in 0..<wordCount {
      let current = memory[start + word]
      let moving = current & masks[base + word]
      let next = moving << 1 | carry | current & automaton.looping[word]
      carry = moving >> 63
      memory[start + word] = next
      any |= next
    }
    if any != 0, !automaton.jumps.isEmpty { followJumps(in: &memory, at: start) }
    return any != 0
  }

  private func stepOther(in memory: inout [UInt64], at start: Int, symbol: UInt32) -> Bool {
    let set = StateSet(words: Array(memory[start..<start + wordCount]))
    let next = automaton.step(set, symbolClass: automaton.symbolClass(of: symbol))
    for word in 0..<wordCount { memory[start + word] = next.words[word] }
    return !next.isEmpty
  }

  private func followJumps(in memory: inout [UInt64], at start: Int) {
    for word in 0..<wordCount {
      let jumping = automaton.jumping[word]
      var done: UInt64 = 0
      while true {
        let pending = memory[start + word] & jumping & ~done
        if pending == 0 { break }
        let bit = pending.trailingZeroBitCount
        done |= 1 << UInt64(bit)
        let state = word * 64 + bit
        for jump in Int(automaton.jumpStarts[state])..<Int(automaton.jumpStarts[state + 1]) {
          memory[start + Int(automaton.jumps[jump].word)] |= automaton.jumps[jump].mask
        }
      }
    }
    for word in 0..<wordCount { memory[start + word] &= lasting[word] }
  }

  @inline(__always)
  func isAccepting(in memory: [UInt64], at start: Int) -> Bool {
    for word in 0..<wordCount where memory[start + word] & automaton.accepting[word] != 0 {
      return true
    }
    return false
  }

  @inline(__always)
  func isUniversal(in memory: [UInt64], at start: Int) -> Bool {
    for word in 0..<wordCount where memory[start + word] & automaton.universal[word] != 0 {
      return true
    }
    return false
  }
}
