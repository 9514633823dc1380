/// A condition as an exploration needs it.
final class Condition {
  let pattern: LanguagePattern
  let isDecoded: Bool
  let name: [UInt32]?
  /// The number of the name, for the order of items.
  let nameNumber: UInt16
  /// The words in a state's key: the number with the automaton's state, and an item's progress.
  let size: Int

  init(_ pattern: LanguagePattern, _ atom: Atom, nameNumber: UInt16) {
    self.pattern = pattern
    isDecoded = atom.isDecoded
    name = atom.name
    self.nameNumber = nameNumber
    size = atom.name == nil ? 1 : 2
  }
}

/// The first word of a condition in a state's key.
struct ConditionState {
  let number: Int
  /// Of an item's value, 0 outside of one.
  var state: LanguagePattern.State

  init(_ number: Int, _ state: LanguagePattern.State) {
    self.number = number
    self.state = state
  }

  @inline(__always)
  init(packed: UInt64) {
    number = Int(packed >> 32)
    state = LanguagePattern.State(truncatingIfNeeded: packed)
  }

  @inline(__always)
  var packed: UInt64 { UInt64(number) << 32 | UInt64(state) }
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
    next.append(reading.packed)
    if !hasItems { return stepTexts(range) }
    var position = range.lowerBound + 1
    // In an item that no condition names nothing happens, unless a condition has just failed.
    var isUseless = hasOnlyItems
    while position < range.upperBound {
      var current = ConditionState(packed: table.words[position])
      let condition = conditions[current.number]
      let isAlive: Bool
      var progress = ItemProgress()
      if let name = condition.name {
        progress = ItemProgress(packed: table.words[position + 1])
        isAlive = stepItem(condition, name, &current.state, &progress, &reading)
        if progress.mode != .other { isUseless = false }
      } else {
        isAlive = feed(condition, &current.state)
      }
      position += condition.size
      if isAlive {
        next.append(current.packed)
        if condition.name != nil { next.append(progress.packed) }
        continue
      }
      if isRequired[current.number] { return false }
      isUseless = false
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

  /// A step when all conditions are for the whole text.
  private mutating func stepTexts(_ range: Range<Int>) -> Bool {
    for position in range.lowerBound + 1..<range.upperBound {
      var current = ConditionState(packed: table.words[position])
      if current.number >= leadingCount, next.count == 1, leadingCount > 0 { return false }
      if feed(conditions[current.number], &current.state) {
        next.append(current.packed)
      } else if isRequired[current.number] {
        return false
      }
    }
    return true
  }

  /// Whether a character is all that it contributes, to both texts.
  @inline(__always)
  func isPlain(_ symbol: UInt8, _ reading: ReaderState) -> Bool {
    reading.isPlain && symbol != UInt8(ascii: "%") && (symbol != UInt8(ascii: "/") || part != .path)
  }

  /// Whether the leading conditions permit a plain character: a glance before the whole step.
  func mayStep(from state: Int, _ symbol: UInt8) -> Bool {
    let range = table.range(of: state)
    for position in range.lowerBound + 1..<range.upperBound {
      let current = ConditionState(packed: table.words[position])
      if current.number >= leadingCount { break }
      let pattern = conditions[current.number].pattern
      let isAlive = pattern.step(current.state, UInt32(symbol)) != 0
      if isAlive != (goal != .differences) { return isAlive }
    }
    return goal != .differences
  }

  /// Steps an automaton over what a character contributes. Returns whether any state is left.
  @inline(__always)
  private func feed(_ condition: Condition, _ state: inout LanguagePattern.State) -> Bool {
    for symbol in condition.isDecoded ? output.decoded : output.written {
      state = condition.pattern.step(state, symbol)
      if state == 0 { return false }
    }
    return true
  }

  /// Takes conditions out of `next` whose items would have had to come before. Returns false when
  /// one of them is required.
  private mutating func dropMissed(before order: UInt16) -> Bool {
    var kept = 1
    var position = 1
    while position < next.count {
      let number = ConditionState(packed: next[position]).number
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

  private func stepItem(
    _ condition: Condition, _ name: [UInt32], _ state: inout LanguagePattern.State,
    _ progress: inout ItemProgress, _ reading: inout ReaderState
  ) -> Bool {
    let text = condition.isDecoded ? output.decoded : output.written
    let end = output.separator == 0 ? text.count : text.count - 1
    guard feed(condition, name, text[..<end], &state, &progress) else { return false }
    switch output.separator {
    case UInt8(ascii: "&"):
      guard endItem(condition, name, &state, &progress, &reading) else { return false }
      progress.mode = .name
      progress.position = 0
    case UInt8(ascii: "="):
      switch progress.mode {
      case .name where progress.position == name.count:
        progress.mode = .value
        progress.position = 0
        setOrder(condition, &reading)
        state = LanguagePattern.start
      case .name:
        progress.mode = .other
        progress.position = 0
      case .value: return feed(condition, name, text[end...], &state, &progress)
      case .other: break
      }
    default: break
    }
    return true
  }

  private func feed(
    _ condition: Condition, _ name: [UInt32], _ text: ArraySlice<UInt32>,
    _ state: inout LanguagePattern.State, _ progress: inout ItemProgress
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
        state = condition.pattern.step(state, symbol)
        if state == 0 { return false }
      case .other: break
      }
    }
    return true
  }

  /// Ends an item. Returns false when its value fails the condition.
  private func endItem(
    _ condition: Condition, _ name: [UInt32], _ state: inout LanguagePattern.State,
    _ progress: inout ItemProgress, _ reading: inout ReaderState
  ) -> Bool {
    switch progress.mode {
    case .name where progress.position == name.count:
      setOrder(condition, &reading)
      return condition.pattern.acceptsEmpty
    case .name, .other: return true
    case .value:
      let accepts = condition.pattern.isAccepting(state)
      state = 0
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

  /// Whether the condition that stands there in `next` holds when the text ends, given what the end
  /// contributes in `output`.
  func accepts(_ condition: Condition, at start: Int, isEmpty: Bool) -> Bool {
    var state = ConditionState(packed: next[start]).state
    guard let name = condition.name else {
      return feed(condition, &state) && condition.pattern.isAccepting(state)
    }
    // An empty query has no items, not one with an empty name.
    if isEmpty { return condition.pattern.acceptsEmpty }
    let text = condition.isDecoded ? output.decoded : output.written
    var progress = ItemProgress(packed: next[start + 1])
    var reading = ReaderState()
    guard feed(condition, name, text[...], &state, &progress),
      endItem(condition, name, &state, &progress, &reading)
    else { return false }
    return progress.wasSeen || condition.pattern.acceptsEmpty
  }
}
