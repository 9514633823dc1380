/// The tables of all conditions of an exploration side by side, so that one step is a walk over flat
/// memory.
struct Lanes {
  struct Lane {
    /// Where the condition's words begin in a row.
    let offset: Int
    let wordCount: Int
    let isDecoded: Bool
    let hasJumps: Bool
  }

  let lanes: [Lane]
  /// The words of one row.
  let width: Int
  /// A row for each ASCII character, and one for a character that no pattern names: the states that
  /// accept it.
  let masks: [UInt64]
  let looping: [UInt64]
  let universal: [UInt64]

  init(_ conditions: [Condition]) {
    var lanes: [Lane] = []
    var width = 0
    for condition in conditions {
      lanes.append(
        Lane(
          offset: width, wordCount: condition.wordCount, isDecoded: condition.isDecoded,
          hasJumps: !condition.pattern.automaton.jumps.isEmpty))
      width += condition.wordCount
    }
    self.lanes = lanes
    self.width = width
    looping = conditions.flatMap { $0.pattern.automaton.looping }
    universal = conditions.flatMap { $0.pattern.automaton.universal }
    var masks = [UInt64](repeating: 0, count: 129 * width)
    for (condition, lane) in zip(conditions, lanes) {
      condition.pattern.copyMasks(to: &masks, at: lane.offset, width: width)
    }
    self.masks = masks
  }
}

extension LanguagePattern {
  func copyMasks(to rows: inout [UInt64], at offset: Int, width: Int) {
    for symbol in 0..<129 {
      for word in 0..<wordCount {
        rows[symbol * width + offset + word] = masks[symbol * wordCount + word]
      }
    }
  }
}

extension PartExploration {
  /// A step when all conditions are for the whole text; see `step`.
  mutating func stepLanes(_ lanes: Lanes, _ range: Range<Int>, _ reading: UInt64) -> Bool {
    next.append(contentsOf: repeatElement(0, count: range.count))
    next[0] = reading
    let (written, decoded) = (row(output.written), row(output.decoded))
    var kept = 1
    var position = range.lowerBound + 1
    while position < range.upperBound {
      let number = Int(table.words[position])
      let lane = lanes.lanes[number]
      let count = lane.wordCount
      next[kept] = UInt64(number)
      let row = lane.isDecoded ? decoded : written
      let isAlive: Bool
      if row == Self.noSymbol {
        for word in 1...count { next[kept + word] = table.words[position + word] }
        isAlive = true
      } else if row == Self.severalSymbols || lane.hasJumps {
        for word in 1...count { next[kept + word] = table.words[position + word] }
        isAlive = feed(
          conditions[number], lane.isDecoded ? output.decoded : output.written, kept + 1)
      } else {
        isAlive = step(position + 1, lanes, lane, row, kept + 1)
      }
      position += count + 1
      if isAlive {
        kept += count + 1
      } else if isRequired[number] {
        return false
      }
    }
    let surplus = next.count - kept
    next.removeLast(surplus)
    return true
  }

  private static let noSymbol = -1
  private static let severalSymbols = -2

  /// The row of masks for what a character contributes.
  private func row(_ text: [UInt32]) -> Int {
    guard let symbol = text.first else { return Self.noSymbol }
    guard text.count == 1 else { return Self.severalSymbols }
    if symbol < 128 { return Int(symbol) }
    return symbol == TextReader.unnamed ? 128 : Self.severalSymbols
  }

  @inline(__always)
  private mutating func step(
    _ start: Int, _ lanes: Lanes, _ lane: Lanes.Lane, _ row: Int, _ target: Int
  ) -> Bool {
    let base = row * lanes.width + lane.offset
    var carry: UInt64 = 0
    var any: UInt64 = 0
    for word in 0..<lane.wordCount {
      let current = table.words[start + word]
      let moving = current & lanes.masks[base + word]
      let result = moving << 1 | carry | current & lanes.looping[lane.offset + word]
      carry = moving >> 63
      next[target + word] = result
      any |= result
    }
    return any != 0
  }

  /// Steps an automaton over some characters. Returns whether any state is left.
  mutating func feed(_ condition: Condition, _ text: [UInt32], _ start: Int) -> Bool {
    for symbol in text where !condition.pattern.step(in: &next, at: start, symbol: symbol) {
      return false
    }
    return true
  }
}
