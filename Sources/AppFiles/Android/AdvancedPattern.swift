/// Reads a `pathAdvancedPattern`. The pattern may contain `.`, `[a-z]`, `[^a-z]`, `*`, `+` and
/// `{2,3}`, with their meaning in regular expressions. A `\` makes the next character literal.
struct AdvancedPattern {
  private var rest: ArraySlice<UInt16>
  private var pieces: [PathPattern.Piece] = []
  /// Whether a modifier (`*`, `+` or `{2,3}`) may come next. A modifier must directly follow a
  /// character or a set.
  private var hasToken = false

  init(_ units: [UInt16]) { rest = units[...] }

  /// Returns the pieces of the pattern; nil if Android refuses the pattern.
  mutating func read() -> [PathPattern.Piece]? {
    if rest.count > AppFileLimits.patternPieces { return nil }
    while let unit = rest.popFirst() {
      switch Character(Unicode.Scalar(unit) ?? "\u{FFFD}") {
      case "[": guard readSet() else { return nil }
      case ".": add(.any)
      case "*": guard modify(0, .max) else { return nil }
      case "+": guard modify(1, .max) else { return nil }
      case "{": guard readBounds() else { return nil }
      // Android ignores a `}` without a `{`.
      case "}": break
      case "\\":
        guard let unit = rest.popFirst() else { return nil }
        add(UnitSet(unit))
      default: add(UnitSet(unit))
      }
    }
    return pieces
  }

  private mutating func add(_ set: UnitSet) {
    pieces.append(.run(set, atLeast: 1, atMost: 1))
    hasToken = true
  }

  private mutating func modify(_ least: Int, _ most: Int) -> Bool {
    guard hasToken, case .run(let set, _, _) = pieces.popLast() else { return false }
    pieces.append(.run(set, atLeast: least, atMost: most))
    hasToken = false
    return true
  }

  private mutating func readBounds() -> Bool {
    guard let end = rest.firstIndex(of: UInt16(UInt8(ascii: "}"))) else { return false }
    let text = String(decoding: rest[..<end], as: UTF16.self)
    rest = rest[(end + 1)...]
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let least = Int32(parts[0]) else { return false }
    if parts.count == 1 { return modify(max(0, Int(least)), Int(max(0, least))) }
    if parts[1].isEmpty { return modify(max(0, Int(least)), .max) }
    guard let most = Int32(parts[1]), least <= most else { return false }
    return modify(max(0, Int(least)), max(0, Int(most)))
  }

  /// Reads the rest of a set such as `[a-z]`, after the `[`. In a set, these characters are
  /// special: `]`, `\`, a `^` at the beginning, and a `-` between two characters. All others are
  /// literal.
  private mutating func readSet() -> Bool {
    let (end, dash) = (UInt16(UInt8(ascii: "]")), UInt16(UInt8(ascii: "-")))
    let isInverse = rest.first == UInt16(UInt8(ascii: "^"))
    if isInverse { rest.removeFirst() }
    var ranges: [ClosedRange<UInt16>] = []
    var isEmpty = true
    while let unit = rest.popFirst() {
      if unit == end {
        if isEmpty { return false }
        add(UnitSet(ranges, isInverse: isInverse))
        return true
      }
      isEmpty = false
      guard let low = literal(unit) else { return false }
      // A dash between two characters makes a range such as `a-z`. A dash at the end of the set is
      // literal.
      guard rest.first == dash, let next = rest.dropFirst().first, next != end else {
        ranges.append(low...low)
        continue
      }
      rest.removeFirst(2)
      guard let high = literal(next) else { return false }
      if low <= high { ranges.append(low...high) }
    }
    return false
  }

  private mutating func literal(_ unit: UInt16) -> UInt16? {
    unit == UInt16(UInt8(ascii: "\\")) ? rest.popFirst() : unit
  }
}
