extension PatternAutomaton {
  /// Compiles a pattern.
  ///
  /// Throws when it would have more than `stateLimit` states or `wordLimit` words of tables.
  package init(
    _ pattern: String, subject: Subject, variables: SubstitutionVariables, caseSensitive: Bool,
    stateLimit: Int = MatchingLimits.states, wordLimit: Int = MatchingLimits.tableWords
  ) throws(PatternsTooLarge) {
    let graph = try TokenGraph(
      PatternSyntax(pattern), variables: variables, caseSensitive: caseSensitive,
      limit: stateLimit)
    var builder = AutomatonBuilder(graph, subject: subject)
    builder.build()
    try self.init(builder, wordLimit: wordLimit)
  }

  private init(_ builder: AutomatonBuilder, wordLimit: Int) throws(PatternsTooLarge) {
    let states = builder.states
    let count = states.count
    let words = (count + 63) / 64
    var classes = SymbolClasses()
    for state in states { if let symbols = state.symbols { classes.name(symbols) } }
    guard words * (classes.count + 8) <= wordLimit, classes.count <= Int(UInt16.max) else {
      throw PatternsTooLarge()
    }
    let empty = [UInt64](repeating: 0, count: words)
    var masks = [UInt64](repeating: 0, count: words * classes.count)
    var (initial, looping, accepting, universal) = (empty, empty, empty, empty)
    var jumping = empty
    for (index, state) in states.enumerated() {
      let (word, bit) = (index / 64, UInt64(1) << UInt64(index % 64))
      if let symbols = state.symbols {
        classes.forEachClass(of: symbols) { masks[$0 * words + word] |= bit }
      }
      if state.isLooping { looping[word] |= bit }
      if state.isAccepting { accepting[word] |= bit }
      if state.isAccepting && state.isLooping { universal[word] |= bit }
      if !state.jumps.isEmpty { jumping[word] |= bit }
    }
    initial[0] = 1
    let hasJumps = jumping.contains { $0 != 0 }
    var jumpStarts: [Int32] = []
    var jumps: [Jump] = []
    if hasJumps {
      for state in states {
        jumpStarts.append(Int32(truncatingIfNeeded: jumps.count))
        Self.append(state.jumps, to: &jumps)
      }
      jumpStarts.append(Int32(truncatingIfNeeded: jumps.count))
    }
    stateCount = count
    wordCount = words
    classCount = classes.count
    asciiClasses = classes.ascii
    let others = classes.others.sorted { $0.key < $1.key }
    otherSymbols = others.map(\.key)
    otherClasses = others.map(\.value)
    self.masks = masks
    self.looping = looping
    self.accepting = accepting
    self.universal = universal
    self.jumping = jumping
    self.jumpStarts = jumpStarts
    self.jumps = jumps
    Self.follow(jumping, jumpStarts, jumps, in: &initial)
    self.initial = initial
    only = OneWord(
      initial: initial[0], looping: looping[0], accepting: accepting[0], universal: universal[0])
  }

  /// Appends jumps to states, those within one word as one.
  private static func append(_ targets: [Int], to jumps: inout [Jump]) {
    let first = jumps.count
    for target in targets.sorted() {
      let word = Int32(truncatingIfNeeded: target / 64)
      let bit = UInt64(1) << UInt64(target % 64)
      if jumps.count > first, let last = jumps.last, last.word == word {
        jumps[jumps.count - 1] = Jump(word: word, mask: last.mask | bit)
      } else {
        jumps.append(Jump(word: word, mask: bit))
      }
    }
  }
}

/// The classes of characters that some patterns tell apart.
private struct SymbolClasses {
  private(set) var ascii = [UInt16](repeating: 0, count: 128)
  private(set) var others: [UInt32: UInt16] = [:]
  private(set) var count = 1

  /// Gives each character of the set a class of its own.
  mutating func name(_ set: SymbolSet) {
    if set.isEverything { return }
    Self.forEachBit(set.low) { if ascii[$0] == 0 { ascii[$0] = next() } }
    Self.forEachBit(set.high) { if ascii[64 + $0] == 0 { ascii[64 + $0] = next() } }
    for symbol in set.others where others[symbol] == nil { others[symbol] = next() }
  }

  private mutating func next() -> UInt16 {
    defer { count += 1 }
    return UInt16(truncatingIfNeeded: count)
  }

  func forEachClass(of set: SymbolSet, _ body: (Int) -> Void) {
    if set.isEverything {
      for number in 0..<count { body(number) }
      return
    }
    Self.forEachBit(set.low) { body(Int(ascii[$0])) }
    Self.forEachBit(set.high) { body(Int(ascii[64 + $0])) }
    for symbol in set.others { body(Int(others[symbol] ?? 0)) }
  }

  private static func forEachBit(_ word: UInt64, _ body: (Int) -> Void) {
    var rest = word
    while rest != 0 {
      body(rest.trailingZeroBitCount)
      rest &= rest - 1
    }
  }
}
