/// The states that an exploration has found: each a key of some words, and how it was reached.
struct StateTable {
  /// The keys, one after the other.
  private(set) var words: [UInt64] = []
  private var starts: [Int32] = [0]
  private var parents: [Int32] = []
  private var symbols: [UInt8] = []
  /// Open addressing: indexes of states, -1 where there is none.
  private var slots = [Int32](repeating: -1, count: 64)

  var count: Int { parents.count }

  func range(of state: Int) -> Range<Int> { Int(starts[state])..<Int(starts[state + 1]) }

  /// Inserts a state that a symbol leads to. Returns false when it is already there.
  mutating func insert(_ key: [UInt64], parent: Int, symbol: UInt8) -> Bool {
    if (count + 1) * 2 > slots.count { grow() }
    var slot = Self.hash(key, 0..<key.count) & (slots.count - 1)
    while slots[slot] >= 0 {
      if isSame(key, range(of: Int(slots[slot]))) { return false }
      slot = (slot + 1) & (slots.count - 1)
    }
    slots[slot] = Int32(truncatingIfNeeded: count)
    words.append(contentsOf: key)
    starts.append(Int32(truncatingIfNeeded: words.count))
    parents.append(Int32(truncatingIfNeeded: parent))
    symbols.append(symbol)
    return true
  }

  /// The symbols that lead to a state from the first one, which has none.
  func text(of state: Int) -> [UInt8] {
    var text: [UInt8] = []
    var state = state
    while parents[state] >= 0 {
      text.append(symbols[state])
      state = Int(parents[state])
    }
    text.reverse()
    return text
  }

  private func isSame(_ key: [UInt64], _ range: Range<Int>) -> Bool {
    guard key.count == range.count else { return false }
    for index in 0..<key.count where words[range.lowerBound + index] != key[index] { return false }
    return true
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for state in 0..<count {
      var slot = Self.hash(words, range(of: state)) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = Int32(truncatingIfNeeded: state)
    }
  }

  private static func hash(_ words: [UInt64], _ range: Range<Int>) -> Int {
    var hash: UInt64 = 0x9E37_79B9_7F4A_7C15
    for index in range {
      hash = (hash ^ words[index]) &* 0xFF51_AFD7_ED55_8CCD
      hash ^= hash >> 32
    }
    return Int(truncatingIfNeeded: hash & 0x7FFF_FFFF_FFFF_FFFF)
  }
}
