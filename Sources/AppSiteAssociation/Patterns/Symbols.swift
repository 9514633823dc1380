/// The set of characters (Unicode scalars) accepted at one position of a pattern.
package struct SymbolSet: Sendable, Hashable {
  /// Bit n stands for the ASCII character n; `high` continues at 64.
  var low: UInt64
  var high: UInt64
  /// The non-ASCII characters, in order.
  var others: [UInt32]
  var isEverything: Bool

  package static let any = SymbolSet(low: .max, high: .max, others: [], isEverything: true)

  private init(low: UInt64, high: UInt64, others: [UInt32], isEverything: Bool) {
    (self.low, self.high, self.others) = (low, high, others)
    self.isEverything = isEverything
  }

  /// A set of ASCII characters; `foldingCase` adds their other cases.
  init(ascii characters: some Sequence<UInt8>, foldingCase: Bool) {
    self.init(low: 0, high: 0, others: [], isEverything: false)
    for character in characters {
      insert(UInt32(character))
      let isLetter = (character | 0x20) &- UInt8(ascii: "a") < 26
      if foldingCase && isLetter { insert(UInt32(character ^ 0x20)) }
    }
  }

  /// A set of one character; `foldingCase` adds its other cases.
  ///
  /// Cases follow Unicode's mappings from one scalar to one scalar, so `ß` has no other case.
  init(_ scalar: Unicode.Scalar, foldingCase: Bool) {
    self.init(low: 0, high: 0, others: [], isEverything: false)
    insert(scalar.value)
    guard foldingCase else { return }
    if scalar.isASCII {
      let isLetter = (UInt8(scalar.value) | 0x20) &- UInt8(ascii: "a") < 26
      if isLetter { insert(scalar.value ^ 0x20) }
    } else {
      for variant in Self.caseVariants(of: scalar) { insert(variant.value) }
    }
  }

  package func contains(_ symbol: UInt32) -> Bool {
    if isEverything { return true }
    if symbol < 64 { return low & (1 << UInt64(symbol)) != 0 }
    if symbol < 128 { return high & (1 << UInt64(symbol - 64)) != 0 }
    return others.contains(symbol)
  }

  private mutating func insert(_ symbol: UInt32) {
    if symbol < 64 {
      low |= 1 << UInt64(symbol)
    } else if symbol < 128 {
      high |= 1 << UInt64(symbol - 64)
    } else if let index = others.firstIndex(where: { $0 >= symbol }) {
      if others[index] != symbol { others.insert(symbol, at: index) }
    } else {
      others.append(symbol)
    }
  }

  private static func caseVariants(of scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let lower = single(scalar.properties.lowercaseMapping) ?? scalar
    let upper = single(lower.properties.uppercaseMapping) ?? scalar
    let title = single(lower.properties.titlecaseMapping) ?? scalar
    return [lower, upper, title]
  }

  private static func single(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.count == 1 ? text.unicodeScalars.first : nil
  }
}

/// Divides characters into the classes that some patterns distinguish.
struct SymbolClasses {
  private(set) var ascii = [UInt16](repeating: 0, count: 128)
  private(set) var others: [UInt32: UInt16] = [:]
  private(set) var count = 1

  /// Gives each character of a set its own class.
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
