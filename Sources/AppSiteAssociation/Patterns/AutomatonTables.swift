internal import Rules

/// The states of a pattern as bit sets and lists, from which an automaton is made.
struct AutomatonTables {
  let stateCount: Int
  let wordCount: Int
  var classes = SymbolClasses()
  var masks: [UInt64]
  var initial: [UInt64]
  var looping: [UInt64]
  var accepting: [UInt64]
  var jumping: [UInt64]
  var jumpStarts: [Int32] = []
  var jumps: [PatternAutomaton.Jump] = []

  /// Throws if the tables would have more than `wordLimit` words.
  init(_ states: [AutomatonBuilder.State], wordLimit: Int) throws(PatternsTooLarge) {
    stateCount = states.count
    wordCount = (states.count + 63) / 64
    for state in states { if let symbols = state.symbols { classes.name(symbols) } }
    guard wordCount * (classes.count + 8) <= wordLimit, classes.count <= Int(UInt16.max) else {
      throw PatternsTooLarge()
    }
    masks = [UInt64](repeating: 0, count: wordCount * classes.count)
    initial = [UInt64](repeating: 0, count: wordCount)
    looping = initial
    accepting = initial
    jumping = initial
    for (index, state) in states.enumerated() {
      let word = index / 64
      let bit = UInt64(1) << UInt64(index % 64)
      if let symbols = state.symbols {
        classes.forEachClass(of: symbols) { masks[$0 * wordCount + word] |= bit }
      }
      if state.isLooping { looping[word] |= bit }
      if state.isAccepting { accepting[word] |= bit }
      if !state.jumps.isEmpty { jumping[word] |= bit }
    }
    if jumping.contains(where: { $0 != 0 }) { setJumps(states) }
    setInitial(states)
  }

  private mutating func setJumps(_ states: [AutomatonBuilder.State]) {
    for state in states {
      jumpStarts.append(Int32(truncatingIfNeeded: jumps.count))
      append(state.jumps.sorted())
    }
    jumpStarts.append(Int32(truncatingIfNeeded: jumps.count))
  }

  /// Appends the jumps of a state, combining jumps within one word.
  private mutating func append(_ targets: [Int]) {
    let first = jumps.count
    for target in targets {
      let word = Int32(truncatingIfNeeded: target / 64)
      let bit = UInt64(1) << UInt64(target % 64)
      if jumps.count > first, let last = jumps.last, last.word == word {
        jumps[jumps.count - 1] = .init(word: word, mask: last.mask | bit)
      } else {
        jumps.append(.init(word: word, mask: bit))
      }
    }
  }

  /// Sets the first state and those that it jumps to. One pass is enough, because jumps lead only
  /// to higher numbers.
  private mutating func setInitial(_ states: [AutomatonBuilder.State]) {
    initial[0] = 1
    var last = 0
    var state = 0
    while state <= last {
      if initial[state / 64] & (UInt64(1) << UInt64(state % 64)) != 0 {
        for target in states[state].jumps {
          initial[target / 64] |= UInt64(1) << UInt64(target % 64)
          last = max(last, target)
        }
      }
      state += 1
    }
  }
}
