internal import Bytes

/// The set of characters (Unicode scalars) accepted at one position of a pattern.
struct SymbolSet: Sendable, Hashable {
  /// Bit n of `low` stands for the ASCII character n, and bit n of `high` for the character 64 + n.
  private(set) var low: UInt64 = 0
  private(set) var high: UInt64 = 0
  /// The non-ASCII characters, sorted.
  private(set) var others: [UInt32] = []
  /// Whether the set has every character, including the numbers above U+10FFFF that stand for bytes
  /// that are not valid UTF-8.
  private(set) var isEverything = false

  static let any = {
    var set = SymbolSet()
    (set.low, set.high, set.isEverything) = (.max, .max, true)
    return set
  }()

  private init() {}

  /// Creates a set of ASCII characters. If `foldingCase` is true, adds the other case of each
  /// letter.
  init(ascii characters: some Sequence<UInt8>, foldingCase: Bool) {
    for character in characters {
      insert(UInt32(character))
      if foldingCase && character.isLetter { insert(UInt32(character ^ 0x20)) }
    }
  }

  /// Creates a set of one character. If `foldingCase` is true, adds the other cases of the
  /// character.
  ///
  /// Cases follow Unicode's mappings from one scalar to one scalar, so `ß` has no other case.
  init(_ scalar: Unicode.Scalar, foldingCase: Bool) {
    if scalar.isASCII {
      self.init(ascii: CollectionOfOne(UInt8(scalar.value)), foldingCase: foldingCase)
    } else {
      self.init()
      insert(scalar.value)
      if foldingCase { for variant in Self.caseVariants(of: scalar) { insert(variant.value) } }
    }
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

/// Assigns characters to classes: each character that occurs in a pattern gets its own class, and
/// all other characters are in class 0.
struct SymbolClasses {
  private(set) var ascii = [UInt16](repeating: 0, count: 128)
  private(set) var others: [UInt32: UInt16] = [:]
  private(set) var count = 1

  /// Assigns a new class to each character of a set that does not have a class yet.
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
