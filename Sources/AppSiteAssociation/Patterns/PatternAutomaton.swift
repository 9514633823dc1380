package import Rules

/// A pattern as a nondeterministic automaton over Unicode scalars. The automaton is used to match
/// texts, and to compare the sets of texts that patterns match.
///
/// If state n accepts a character, the character leads to state n + 1. If the state loops (`*`),
/// any character also leads back to n. Jumps consume no character. A jump leads to a state with a
/// higher number, for example from the state before a variable to the first state of one of its
/// values. A step takes a few operations on bit sets for all states at once. The time for a match
/// is at worst proportional to the length of the pattern times the length of the text.
///
/// Each character that occurs in the pattern has its own *symbol class*. All other characters are
/// in class 0, because the pattern treats them alike. Case folding is part of the automaton, not of
/// the text: a case-insensitive pattern accepts both cases of a letter. So patterns with and
/// without case folding can be compared.
///
/// The automaton of a path reads only *normalized* paths: one leading slash, no two slashes in a
/// row, no trailing slash except in `/`. For other paths, the answers of the automaton are
/// meaningless.
package final class PatternAutomaton: Sendable {
  /// The kind of text with which the pattern is compared.
  package enum Subject: Sendable, Hashable {
    /// A query, query item or fragment. Its pattern is literal except for wildcards and variables.
    case text
    /// A path. Slashes at both ends and runs of slashes are matched leniently; see `optionalTails`.
    case path
  }

  package let stateCount: Int
  /// The number of 64-bit words in a set of states.
  let wordCount: Int
  package let classCount: Int

  let asciiClasses: [UInt16]
  /// The non-ASCII characters outside class 0, sorted.
  let otherSymbols: [UInt32]
  let otherClasses: [UInt16]

  /// For each class of characters, the set of states that accept the class. Each set has
  /// `wordCount` words.
  let masks: [UInt64]
  let initial: [UInt64]
  let looping: [UInt64]
  let accepting: [UInt64]
  /// The states from which the pattern matches however the text continues.
  let universal: [UInt64]
  let jumping: [UInt64]
  /// For each state, the index of its first jump in `jumps`. The array is empty if the pattern has
  /// no jumps.
  let jumpStarts: [Int32]
  let jumps: [Jump]

  /// One or more jumps of a state. The bits of their targets are in the same 64-bit word of a set
  /// of states.
  struct Jump: Sendable {
    let word: Int32
    let mask: UInt64
  }

  /// Compiles a pattern.
  ///
  /// Throws if the automaton would exceed `stateLimit` states or `wordLimit` words of tables.
  package convenience init(
    _ pattern: String, subject: Subject, variables: SubstitutionVariables, caseSensitive: Bool,
    stateLimit: Int = MatchingLimits.states, wordLimit: Int = MatchingLimits.tableWords
  ) throws(PatternsTooLarge) {
    try self.init(
      pattern, subject: subject, variables: variables, folding: caseSensitive ? [] : .all,
      stateLimit: stateLimit, wordLimit: wordLimit)
  }

  init(
    _ pattern: String, subject: Subject, variables: SubstitutionVariables, folding: CaseFolding,
    stateLimit: Int = MatchingLimits.states, wordLimit: Int = MatchingLimits.tableWords
  ) throws(PatternsTooLarge) {
    let graph = try TokenGraph(
      PatternSyntax(pattern), variables: variables, folding: folding, limit: stateLimit)
    var builder = AutomatonBuilder(graph, subject: subject)
    builder.build()
    let states = builder.states
    var classes = SymbolClasses()
    for state in states { if let symbols = state.symbols { classes.name(symbols) } }
    let wordCount = (states.count + 63) / 64
    guard wordCount * (classes.count + 8) <= wordLimit, classes.count <= Int(UInt16.max) else {
      throw PatternsTooLarge()
    }
    stateCount = states.count
    self.wordCount = wordCount
    classCount = classes.count
    asciiClasses = classes.ascii
    let others = classes.others.sorted { $0.key < $1.key }
    otherSymbols = others.map(\.key)
    otherClasses = others.map(\.value)
    var masks = [UInt64](repeating: 0, count: wordCount * classes.count)
    var looping = [UInt64](repeating: 0, count: wordCount)
    var accepting = looping
    var jumping = looping
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
    self.masks = masks
    initial = states.initialWords
    self.looping = looping
    self.accepting = accepting
    universal = zip(looping, accepting).map { $0 & $1 }
    self.jumping = jumping
    (jumpStarts, jumps) = states.jumpLists
  }

  /// Returns the class of a character. A byte that is not UTF-8 is represented by a number above
  /// all Unicode scalars, and belongs to class 0.
  @inline(__always)
  package func symbolClass(of symbol: UInt32) -> Int {
    symbol < 128 ? Int(asciiClasses[Int(symbol)]) : classOfOther(symbol)
  }

  private func classOfOther(_ symbol: UInt32) -> Int {
    var low = 0
    var high = otherSymbols.count
    while low < high {
      let middle = (low + high) / 2
      if otherSymbols[middle] == symbol { return Int(otherClasses[middle]) }
      if otherSymbols[middle] < symbol { low = middle + 1 } else { high = middle }
    }
    return 0
  }

  /// All characters outside class 0, sorted. The pattern treats all characters of class 0 alike. To
  /// find every difference between two patterns, it is enough to try the `namedSymbols` of both
  /// patterns and one more character, which is in class 0 of both.
  package var namedSymbols: [UInt32] {
    (0..<128).filter { asciiClasses[Int($0)] != 0 } + otherSymbols
  }

  /// Returns whether the pattern matches every text (for a path, every normalized path), as `*`
  /// does.
  package func acceptsEverything(_ subject: Subject) -> Bool {
    switch subject {
    case .text: isUniversal(initialStates)
    case .path: isUniversal(step(initialStates, symbolClass: symbolClass(of: 0x2F)))
    }
  }
}

/// A set of an automaton's states.
package struct StateSet: Sendable, Hashable {
  var words: [UInt64]

  package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

  func contains(_ state: Int) -> Bool { words[state / 64] & 1 << UInt64(state % 64) != 0 }

  mutating func subtract(_ other: StateSet) {
    for word in words.indices { words[word] &= ~other.words[word] }
  }

  mutating func removeStates(before state: Int) {
    for word in 0..<state / 64 { words[word] = 0 }
    words[state / 64] &= UInt64.max << UInt64(state % 64)
  }
}

extension PatternAutomaton {
  package var initialStates: StateSet { StateSet(words: initial) }

  /// Whether the pattern matches a text that ends in one of these states.
  package func isAccepting(_ set: StateSet) -> Bool {
    zip(set.words, accepting).contains { $0 & $1 != 0 }
  }

  /// Returns whether the pattern matches however the text continues after these states.
  package func isUniversal(_ set: StateSet) -> Bool {
    zip(set.words, universal).contains { $0 & $1 != 0 }
  }

  /// The size of the automaton's tables in 64-bit words. This size counts toward the limits.
  package var tableWords: Int { masks.count + 8 * wordCount }

  /// Returns the highest-numbered target of a state's jumps; nil if the state has no jumps.
  func lastJump(from state: Int) -> Int? {
    guard !jumps.isEmpty else { return nil }
    return jumps[Int(jumpStarts[state])..<Int(jumpStarts[state + 1])].last.map { jump in
      Int(jump.word) * 64 + 63 - jump.mask.leadingZeroBitCount
    }
  }
}

/// Runs the automaton: to match a text, and to find out which texts the pattern matches at all.
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

  /// A faster version of `matches` for patterns without jumps whose sets of states fit into one
  /// word. Most patterns are that simple.
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

  /// Returns whether any state of the set accepts a character of the class.
  func leadsOn(_ set: StateSet, symbolClass: Int) -> Bool {
    let base = symbolClass * wordCount
    return set.words.indices.contains { set.words[$0] & (masks[base + $0] | looping[$0]) != 0 }
  }

  /// Returns the states that are reached from the states of the set by a character of the class.
  package func step(_ set: StateSet, symbolClass: Int) -> StateSet {
    var next = [UInt64](repeating: 0, count: wordCount)
    let base = symbolClass * wordCount
    var carry: UInt64 = 0
    // The last state has no successor, so no bit is carried out of the last word.
    for word in 0..<wordCount {
      let moving = set.words[word] & masks[base + word]
      next[word] = moving << 1 | carry | set.words[word] & looping[word]
      carry = moving >> 63
    }
    if !jumps.isEmpty { followJumps(&next) }
    return StateSet(words: next)
  }

  /// Adds the targets of all jumps. One pass over the states is enough, because jumps lead only to
  /// states with higher numbers.
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
