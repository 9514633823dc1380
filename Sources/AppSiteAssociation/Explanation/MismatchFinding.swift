extension PatternAutomaton {
  /// The place where the pattern stops matching the text; nil if it matches.
  func mismatch(_ text: [UInt32]) -> Mismatch? {
    var set = initialStates
    for (index, symbol) in text.enumerated() {
      let next = step(set, symbolClass: symbolClass(of: symbol))
      if next.isEmpty { return mismatch(reached: index, set) }
      set = next
    }
    return isAccepting(set) ? nil : mismatch(reached: text.count, set)
  }

  private func mismatch(reached: Int, _ set: StateSet) -> Mismatch {
    Mismatch(
      reached: reached, expected: expectations(set), couldEnd: isAccepting(set), cause: nil)
  }

  /// The possible next characters, in words.
  private func expectations(_ set: StateSet) -> [String] {
    let isPossible = (0..<classCount).map { !step(set, symbolClass: $0).isEmpty }
    if isPossible[0] { return ["any character"] }
    var symbols = Set(namedSymbols.filter { isPossible[symbolClass(of: $0)] })
    var result: [String] = []
    for (words, range) in Self.groups where symbols.isSuperset(of: range) {
      symbols.subtract(range)
      result.append(words)
    }
    return result + symbols.sorted().map { "`" + string([$0]) + "`" }
  }

  private static let groups: [(String, ClosedRange<UInt32>)] = [
    ("a digit", 0x30...0x39), ("an upper-case letter", 0x41...0x5A),
    ("a lower-case letter", 0x61...0x7A),
  ]
}
