/// The states that an exploration has found: each a key of some words, and how it was reached.
struct StateTable {
  private var keys = KeyTable()
  private var parents: [Int32] = []
  private var symbols: [UInt8] = []

  var count: Int { parents.count }

  /// The keys, one after the other.
  var words: [UInt64] { keys.words }

  func range(of state: Int) -> Range<Int> { keys.range(of: state) }

  /// Inserts a state that a symbol leads to. Returns false when it is already there.
  mutating func insert(_ key: [UInt64], parent: Int, symbol: UInt8) -> Bool {
    guard keys.insert(key).isNew else { return false }
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
}
