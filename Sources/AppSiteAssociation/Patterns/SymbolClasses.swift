/// The classes of characters that some patterns distinguish.
struct SymbolClasses {
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
