/// A condition in the form that the exploration of a URL part needs.
struct PartCondition {
  let automaton: LazyAutomaton
  let isDecoded: Bool
  let name: [UInt32]?
  /// The rank of the condition's item name among the item names of all conditions.
  let nameOrder: Int
}

/// A condition that the text may still meet, and how far the text has been compared with the
/// condition.
struct OpenCondition: Hashable {
  /// The index of the condition in `PartExploration.conditions`.
  let number: Int
  var place: Place
  /// Whether the text contained an item with the condition's name. Not recorded if an empty value
  /// meets the condition, because a missing item then meets the condition too.
  var wasSeen = false

  /// In which part of the text the current position is, and how far this part agrees with the
  /// condition.
  enum Place: Hashable {
    /// In the whole text, for a condition on the whole text.
    case text(LazyAutomaton.State)
    /// In the name of a query item. The associated value is the number of characters that already
    /// agree with the condition's name.
    case name(Int)
    /// In an item that the condition does not test.
    case otherItem
    /// In the value of an item that the condition tests.
    case value(LazyAutomaton.State)
  }

  init(_ number: Int, _ condition: PartCondition) {
    self.number = number
    place = condition.name == nil ? .text(condition.automaton.start) : .name(0)
  }

  /// Whether the condition holds for every continuation of the text.
  var holds: Bool { place == .text(LazyAutomaton.everything) }

  /// A number to hash instead of `place` and `wasSeen`. Most values have different numbers.
  var hashNumber: Int {
    let number =
      switch place {
      case .text(let state): state << 2
      case .name(let count): count << 2 | 1
      case .otherItem: 2
      case .value(let state): state << 2 | 3
      }
    return number << 1 | (wasSeen ? 1 : 0)
  }

  var isInOtherItem: Bool { place == .otherItem }

  /// Reads the text reader's output for one character. Returns false if the condition can no longer
  /// hold.
  mutating func read(
    _ output: TextReader.Output, _ condition: PartCondition, _ order: inout ItemOrder
  ) -> Bool {
    let text = condition.isDecoded ? output.decoded : output.written
    guard condition.name != nil, let separator = output.separator else {
      for symbol in text where !read(symbol, condition) { return false }
      return true
    }
    for symbol in text.dropLast() where !read(symbol, condition) { return false }
    if separator == UInt8(ascii: "&") {
      defer { place = .name(0) }
      return endItem(condition, &order)
    }
    guard case .name(let count) = place else {
      return text.last.map { read($0, condition) } ?? true
    }
    if count == condition.name?.count {
      order.take(condition)
      place = .value(condition.automaton.start)
    } else {
      place = .otherItem
    }
    return true
  }

  private mutating func read(_ symbol: UInt32, _ condition: PartCondition) -> Bool {
    switch place {
    case .text(let state):
      let next = condition.automaton.step(state, symbol)
      place = .text(next)
      return next != LazyAutomaton.nothing
    case .value(let state):
      let next = condition.automaton.step(state, symbol)
      place = .value(next)
      return next != LazyAutomaton.nothing
    case .name(let count):
      let name = condition.name ?? []
      place = count < name.count && name[count] == symbol ? .name(count + 1) : .otherItem
    case .otherItem: break
    }
    return true
  }

  /// Records the end of an item. Returns false if the item's value fails the condition.
  private mutating func endItem(_ condition: PartCondition, _ order: inout ItemOrder) -> Bool {
    switch place {
    case .name(let count) where count == condition.name?.count:
      order.take(condition)
      return condition.automaton.acceptsEmpty
    case .value(let state):
      // A missing item is compared as an empty value. So the presence of the item matters only if
      // an empty value fails the condition.
      if !condition.automaton.acceptsEmpty { wasSeen = true }
      return condition.automaton.isAccepting(state)
    default: return true
    }
  }

  /// Whether the condition holds if the text ends at the current position.
  ///
  /// - Parameter end: The reader's output for the end of the text.
  func accepts(
    _ end: TextReader.Output, _ condition: PartCondition, isEmpty: Bool
  ) -> Bool {
    // An empty query has no items, not one item with an empty name.
    if condition.name != nil, isEmpty { return condition.automaton.acceptsEmpty }
    var copy = self
    var order = ItemOrder()
    guard copy.read(end, condition, &order) else { return false }
    if case .text(let state) = copy.place { return condition.automaton.isAccepting(state) }
    return copy.endItem(condition, &order)
      && (copy.wasSeen || condition.automaton.acceptsEmpty)
  }
}

/// The order of query items. Items are explored in one order only. Each condition concerns only the
/// items with its own name, so other orders give the same results.
struct ItemOrder: Hashable {
  /// The lowest rank allowed for the next item; nil if items may come in any order.
  var next: Int?
  /// Whether an item was out of order.
  var isBroken = false

  /// Records that the text has an item with the condition's name. Sets `isBroken` if the item is
  /// out of order.
  mutating func take(_ condition: PartCondition) {
    guard let next else { return }
    if condition.nameOrder < next { isBroken = true }
    self.next = condition.nameOrder
  }
}
