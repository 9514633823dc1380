/// A condition as an exploration needs it.
final class Condition: Sendable {
  let pattern: LanguagePattern
  let isDecoded: Bool
  let name: [UInt32]?
  /// The number of the name, for the order of items.
  let nameNumber: UInt16
  let wordCount: Int
  /// The words in a state's key: the number, an item's progress, the automaton's states.
  let size: Int

  init(_ pattern: LanguagePattern, _ atom: Atom, nameNumber: UInt16) {
    self.pattern = pattern
    isDecoded = atom.isDecoded
    name = atom.name
    self.nameNumber = nameNumber
    wordCount = pattern.wordCount
    size = 1 + (atom.name == nil ? 0 : 1) + pattern.wordCount
  }
}

/// Where a query is with respect to an item condition.
struct ItemProgress {
  enum Mode: UInt64 {
    /// In an item's name that is the condition's so far.
    case name
    /// In an item that the condition does not name.
    case other
    /// In the value of an item that it names.
    case value
  }

  var mode = Mode.name
  /// The scalars of the name that were read.
  var position = 0
  /// Whether an item of that name was there, if it matters.
  var wasSeen = false

  init() {}

  init(packed: UInt64) {
    mode = Mode(rawValue: packed & 3) ?? .other
    wasSeen = packed & 4 != 0
    position = Int(packed >> 3)
  }

  var packed: UInt64 { UInt64(position) << 3 | (wasSeen ? 4 : 0) | mode.rawValue }
}

extension PartExploration {
  /// Makes in `next` the state that a character leads to. Returns false when there is none, or none
  /// that matters.
  mutating func step(from state: Int, _ before: ReaderState, _ symbol: UInt8) -> Bool {
    let range = table.range(of: state)
    var reading = before
    next.removeAll(keepingCapacity: true)
    guard reader.read(symbol, &reading, &output) else { return false }
    if let lanes { return stepLanes(lanes, range, reading.packed) }
    next.append(0)
    var position = range.lowerBound + 1
    // In an item that no condition names nothing happens, unless a condition has just failed.
    var isUseless = hasOnlyItems
    while position < range.upperBound {
      let number = Int(table.words[position])
      let condition = conditions[number]
      let start = next.count
      for offset in 0..<condition.size { next.append(table.words[position + offset]) }
      position += condition.size
      let isAlive: Bool
      if let name = condition.name {
        isAlive = stepItem(condition, name, at: start, &reading)
        if ItemProgress(packed: next[start + 1]).mode != .other { isUseless = false }
      } else {
        isAlive = feed(condition, condition.isDecoded ? output.decoded : output.written, start + 1)
      }
      if isAlive { continue }
      if isRequired[number] { return false }
      isUseless = false
      next.removeLast(condition.size)
    }
    if isUseless || reading.itemOrder == .max { return false }
    if ordersItems, reading.itemOrder != before.itemOrder,
      !dropMissed(before: reading.itemOrder)
    {
      return false
    }
    next[0] = reading.packed
    return true
  }

  /// Takes conditions out of `next` whose items would have had to come before. Returns false when
  /// one of them is required.
  private mutating func dropMissed(before order: UInt16) -> Bool {
    var kept = 1
    var position = 1
    while position < next.count {
      let number = Int(next[position])
      let condition = conditions[number]
      let isMissed =
        condition.nameNumber < order && !condition.pattern.acceptsEmpty
        && !ItemProgress(packed: next[position + 1]).wasSeen
      if isMissed && isRequired[number] { return false }
      if !isMissed {
        if kept != position {
          for offset in 0..<condition.size { next[kept + offset] = next[position + offset] }
        }
        kept += condition.size
      }
      position += condition.size
    }
    next.removeLast(next.count - kept)
    return true
  }

  private mutating func stepItem(
    _ condition: Condition, _ name: [UInt32], at start: Int, _ reading: inout ReaderState
  ) -> Bool {
    var progress = ItemProgress(packed: next[start + 1])
    let text = condition.isDecoded ? output.decoded : output.written
    let end = output.separator == 0 ? text.count : text.count - 1
    guard feed(condition, name, text[..<end], &progress, start) else { return false }
    switch output.separator {
    case UInt8(ascii: "&"):
      guard endItem(condition, name, &progress, start, &reading) else { return false }
      progress.mode = .name
      progress.position = 0
    case UInt8(ascii: "="):
      switch progress.mode {
      case .name where progress.position == name.count:
        progress.mode = .value
        progress.position = 0
        setOrder(condition, &reading)
        for word in 0..<condition.wordCount {
          next[start + 2 + word] = condition.pattern.automaton.initial[word]
        }
      case .name:
        progress.mode = .other
        progress.position = 0
      case .value: guard feed(condition, name, text[end...], &progress, start) else { return false }
      case .other: break
      }
    default: break
    }
    next[start + 1] = progress.packed
    return true
  }

  private mutating func feed(
    _ condition: Condition, _ name: [UInt32], _ text: ArraySlice<UInt32>,
    _ progress: inout ItemProgress, _ start: Int
  ) -> Bool {
    for symbol in text {
      switch progress.mode {
      case .name:
        if progress.position < name.count, name[progress.position] == symbol {
          progress.position += 1
        } else {
          progress.mode = .other
          progress.position = 0
        }
      case .value:
        if !condition.pattern.step(in: &next, at: start + 2, symbol: symbol) { return false }
      case .other: break
      }
    }
    return true
  }

  /// Ends an item. Returns false when its value fails the condition.
  private mutating func endItem(
    _ condition: Condition, _ name: [UInt32], _ progress: inout ItemProgress, _ start: Int,
    _ reading: inout ReaderState
  ) -> Bool {
    switch progress.mode {
    case .name where progress.position == name.count:
      setOrder(condition, &reading)
      return condition.pattern.acceptsEmpty
    case .name, .other: return true
    case .value:
      let accepts = condition.pattern.isAccepting(in: next, at: start + 2)
      for word in 0..<condition.wordCount { next[start + 2 + word] = 0 }
      // An absent item counts as an empty one: then it does not matter whether it was there.
      if !condition.pattern.acceptsEmpty { progress.wasSeen = true }
      return accepts
    }
  }

  private func setOrder(_ condition: Condition, _ reading: inout ReaderState) {
    guard ordersItems else { return }
    let isLate = condition.nameNumber < reading.itemOrder
    reading.itemOrder = isLate ? .max : condition.nameNumber
  }

  /// Whether the condition holds when the text ends in the state in `next`, given what the end
  /// contributes in `output`. Leaves `next` as it was.
  mutating func accepts(_ condition: Condition, at start: Int, isEmpty: Bool) -> Bool {
    let text = condition.isDecoded ? output.decoded : output.written
    if condition.name == nil, text.isEmpty {
      return condition.pattern.isAccepting(in: next, at: start + 1)
    }
    let kept = Array(next[start..<start + condition.size])
    defer { for (offset, word) in kept.enumerated() { next[start + offset] = word } }
    guard let name = condition.name else {
      return feed(condition, text, start + 1)
        && condition.pattern.isAccepting(in: next, at: start + 1)
    }
    // An empty query has no items, not one with an empty name.
    if isEmpty { return condition.pattern.acceptsEmpty }
    var progress = ItemProgress(packed: next[start + 1])
    var reading = ReaderState()
    guard feed(condition, name, text[...], &progress, start),
      endItem(condition, name, &progress, start, &reading)
    else { return false }
    return progress.wasSeen || condition.pattern.acceptsEmpty
  }
}
