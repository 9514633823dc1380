internal import Diagnostics

/// Explores all texts of one part of a URL, shortest first, and compares them with the conditions
/// of the given rules.
///
/// A state consists of the reader's state and the progress of each condition that may still hold.
/// Texts that lead to the same state have the same continuations, so only one of these texts is
/// explored further.
struct PartExploration {
  /// A rule with the indexes of its conditions on this part.
  private struct Candidate {
    let rule: Int
    let conditions: [Int]
    /// Whether the rule has no conditions on later parts.
    let isUnrestrictedAfter: Bool
  }

  private struct State: Hashable {
    var reading: TextReader.State
    var order: ItemOrder
    var conditions: [OpenCondition]

    /// Hashes only the parts in which most states differ, because a state has many parts and is
    /// hashed several times.
    func hash(into hasher: inout Hasher) {
      for condition in conditions { hasher.combine(condition.number << 32 ^ condition.hashNumber) }
      hasher.combine(reading.escape)
      hasher.combine(order.next)
    }
  }

  /// A state, and the way in which the exploration reached it.
  private struct Found {
    let state: State
    /// The previous state, and the character that leads from it to this state. Nil for the empty
    /// text.
    let origin: (parent: Int, symbol: UInt8)?
    /// The length of the text in characters.
    let length: Int
    /// Whether an exploration from this state can still reach the goal.
    let isOpen: Bool
  }

  /// Whether a condition has failed, may still hold, or holds in a state.
  private enum Status { case failed, open, holds }

  private let rules: ComparedRules
  private let part: URLPart
  private let goal: SearchGoal
  private let conditions: [PartCondition]
  /// `ComparedRules.leading` returns some rules; this is the number of their conditions. These
  /// conditions come first in `conditions`, because most texts fail them. A text reaches the goal
  /// "decision" only if it meets all of them, and the goal "difference" only if it meets one.
  private let leadingCount: Int
  private let first: [Candidate]
  private let second: [Candidate]
  private let reader: TextReader
  private let alphabet: Alphabet
  /// Whether all conditions test query items. If so, items without any condition are skipped.
  private let hasOnlyItems: Bool
  private let ordersItems: Bool

  private var found: [Found] = []
  private var known: Set<State> = []
  /// The text reader's output for the last character.
  private var output = TextReader.Output()

  init(_ rules: ComparedRules, _ part: URLPart, _ candidates: Candidates, _ goal: SearchGoal) {
    self.rules = rules
    self.part = part
    self.goal = goal
    var numbers: [Int: Int] = [:]
    var names: [[UInt32]: Int] = [:]
    var conditions: [PartCondition] = []
    func candidate(_ index: Int) -> Candidate {
      let rule = rules.compiled.rules[index]
      let own = rule.conditions[part.rawValue].compactMap { index -> Int? in
        if let number = numbers[index] { return number }
        let condition = rules.compiled.conditions[index]
        guard let automaton = rules.automata[condition.pattern] else { return nil }
        let nameOrder = condition.name.map { names[$0] ?? names.count } ?? 0
        if let name = condition.name { names[name] = nameOrder }
        numbers[index] = conditions.count
        conditions.append(
          PartCondition(
            automaton: automaton, isDecoded: condition.isDecoded, name: condition.name,
            nameOrder: nameOrder))
        return conditions.count - 1
      }
      return Candidate(
        rule: index, conditions: own, isUnrestrictedAfter: rule.isUnrestricted(from: part.next))
    }
    let leading = rules.leading(candidates, goal, part).map(candidate)
    leadingCount = leading.contains(where: \.conditions.isEmpty) ? 0 : conditions.count
    first = candidates.first.rules.map(candidate)
    second = candidates.second.rules.map(candidate)
    self.conditions = conditions
    alphabet = Alphabet(part, conditions)
    reader = TextReader(
      part: part, needsWritten: conditions.contains { !$0.isDecoded },
      needsDecoded: conditions.contains(where: \.isDecoded), encodings: alphabet.encodings)
    hasOnlyItems = conditions.allSatisfy { $0.name != nil }
    ordersItems = hasOnlyItems && Set(conditions.map(\.isDecoded)).count == 1
  }

  mutating func run(_ search: inout Search, _ example: ExampleURL) {
    let start = State(
      reading: reader.initial, order: ItemOrder(next: ordersItems ? 0 : nil),
      conditions: conditions.enumerated().map { OpenCondition($0, $1) })
    // The length includes the `?` or `#` before a query or fragment. A path begins with a slash,
    // which the example contains already.
    take(start, nil, length: example.length + (part == .path ? 0 : 1), &search, example)
    var place = 0
    while place < found.count, !search.isDone {
      let current = found[place]
      if let shortest = search.shortestLength, current.length + 1 >= shortest { return }
      if current.isOpen {
        let symbols = current.state.reading.escape == .none ? alphabet.symbols : alphabet.digits
        for symbol in symbols where !search.isDone {
          let next = step(current.state, symbol)
          let work = next.map { 5 + $0.conditions.count } ?? 1
          search.budget.spend(work + rules.takeWork())
          if let next {
            take(next, (place, symbol), length: current.length + 1, &search, example)
          }
        }
        if search.budget.isSpent || found.count > ReachabilityLimits.states { search.giveUp() }
      }
      place += 1
    }
  }

  /// Returns the state to which a character leads. Nil if a text with this character at this
  /// position need not be explored.
  private mutating func step(_ before: State, _ symbol: UInt8) -> State? {
    var reading = before.reading
    guard reader.read(symbol, &reading, into: &output) else { return nil }
    var state = State(reading: reading, order: before.order, conditions: [])
    // An item that no condition tests can be skipped, unless a condition failed at this character.
    var isUseless = hasOnlyItems
    for condition in before.conditions {
      let isAfterLeading = leadingCount > 0 && condition.number >= leadingCount
      if isAfterLeading, state.conditions.isEmpty { return nil }
      var condition = condition
      if condition.read(output, conditions[condition.number], &state.order) {
        if !condition.isInOtherItem { isUseless = false }
        if state.conditions.isEmpty { state.conditions.reserveCapacity(before.conditions.count) }
        state.conditions.append(condition)
      } else {
        if isRequired(condition) { return nil }
        isUseless = false
      }
    }
    if isUseless || state.order.isBroken { return nil }
    guard let order = state.order.next, order != before.order.next else { return state }
    if state.conditions.contains(where: { isMissed($0, order) && isRequired($0) }) { return nil }
    state.conditions.removeAll { isMissed($0, order) }
    return state
  }

  /// Whether the condition failed because the text has no item with the condition's name: an item
  /// that comes later in the order of items has already begun.
  private func isMissed(_ open: OpenCondition, _ order: Int) -> Bool {
    let condition = conditions[open.number]
    return condition.nameOrder < order && !condition.automaton.acceptsEmpty && !open.wasSeen
  }

  private func isRequired(_ condition: OpenCondition) -> Bool {
    goal != .differences && condition.number < leadingCount
  }

  /// Records a state if it is new, and explores the next part if the text may end here.
  private mutating func take(
    _ state: State, _ origin: (parent: Int, symbol: UInt8)?, length: Int, _ search: inout Search,
    _ example: ExampleURL
  ) {
    var state = state
    var status = [Status](repeating: .failed, count: conditions.count)
    for condition in state.conditions {
      status[condition.number] = condition.holds ? .holds : .open
    }
    if part == .query {
      // Remove the conditions of rules that can no longer match, because many queries lead to
      // states that differ only in these conditions.
      var needed = [Bool](repeating: false, count: conditions.count)
      for rule in first + second where mayMatch(rule, status) {
        for number in rule.conditions { needed[number] = true }
      }
      state.conditions.removeAll { !needed[$0.number] }
      search.budget.spend(first.count + second.count)
    }
    guard known.insert(state).inserted else { return }
    search.budget.spend(first.count + second.count)
    let live = Candidates(first: live(first, status), second: live(second, status))
    let isOpen = !rules.isSettled(live, goal, from: part)
    found.append(Found(state: state, origin: origin, length: length, isOpen: isOpen))
    if isOpen { end(state, &search, example) }
  }

  private func mayMatch(_ rule: Candidate, _ status: [Status]) -> Bool {
    !rule.conditions.contains { status[$0] == .failed }
  }

  /// Returns the rules that may still match. The list ends with the first rule that matches however
  /// the text continues.
  private func live(_ candidates: [Candidate], _ status: [Status]) -> RuleList {
    var list = RuleList()
    for candidate in candidates where mayMatch(candidate, status) {
      list.rules.append(candidate.rule)
      if candidate.isUnrestrictedAfter, candidate.conditions.allSatisfy({ status[$0] == .holds }) {
        list.isFinal = true
        break
      }
    }
    return list
  }

  /// If the text may end in the latest state, explores the next part with the rules that accept the
  /// text.
  private mutating func end(_ state: State, _ search: inout Search, _ example: ExampleURL) {
    guard reader.end(state.reading, into: &output) else { return }
    search.budget.spend(1)
    let isEmpty = state.reading.isEmpty
    var accepts = [Bool](repeating: false, count: conditions.count)
    for open in state.conditions {
      accepts[open.number] = open.accepts(output, conditions[open.number], isEmpty: isEmpty)
      if isRequired(open), !accepts[open.number] { return }
    }
    search.budget.spend(state.conditions.count + conditions.count)
    func accepting(_ candidates: [Candidate]) -> RuleList {
      let rules = candidates.filter { $0.conditions.allSatisfy { accepts[$0] } }.map(\.rule)
      return self.rules.list(rules, from: part.next)
    }
    let accepted = Candidates(first: accepting(first), second: accepting(second))
    if rules.isSettled(accepted, goal, from: part.next) { return }
    var example = example
    example.set(part, to: (part == .path ? "/" : "") + text(of: found.count - 1))
    search.explore(from: part.next, accepted, example)
  }

  private func text(of place: Int) -> String {
    var symbols: [UInt8] = []
    var place = place
    while let origin = found[place].origin {
      symbols.append(origin.symbol)
      place = origin.parent
    }
    return String(decoding: symbols.reversed(), as: UTF8.self)
  }
}
