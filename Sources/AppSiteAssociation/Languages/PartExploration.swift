/// Explores all texts of one part of a URL for some rules, shortest first.
///
/// A state is where the reader is, and for each condition that may still hold the states of its
/// automaton. Its key is the reader's word, then for each such condition its number and its words.
struct PartExploration {
  let system: RuleSystem
  let part: URLPart
  let contenders: Contenders
  let goal: SearchGoal
  let conditions: [Condition]
  /// Whether texts that fail the condition need not be explored.
  let isRequired: [Bool]
  /// The conditions of the rule that is to decide, and of those before it that nothing restricts
  /// afterwards: their numbers, and -1 after each rule.
  private let targetConditions: [Int]
  private let covering: [Int]
  let first: [Contender]
  let second: [Contender]
  /// The conditions numbered below this are looked at first: of a decision all, of differences any
  /// must still be open for anything to be found.
  let leadingCount: Int
  let reader: TextReader
  let symbols: [UInt8]
  /// What may come after `%`.
  let digits: [UInt8]
  /// Whether any condition is for a query item.
  let hasItems: Bool
  /// All conditions are for query items: items that none names can be left out.
  let hasOnlyItems: Bool
  /// Items may be put into one order, since each condition looks at its own items only.
  let ordersItems: Bool

  var table = StateTable()
  /// States below which nothing can be found.
  private var isClosed: [Bool] = []
  var next: [UInt64] = []
  var output = TextReader.Output()
  /// For each condition where it stands in the state that is looked at.
  private var status: [Status] = []
  private var needed: [Bool] = []

  /// A rule, with its conditions as indexes into `conditions`.
  struct Contender {
    let rule: Int
    let conditions: [Int]
    let isUnrestrictedAfter: Bool
  }

  enum Status { case failed, open, holds }

  init(_ system: RuleSystem, _ part: URLPart, _ contenders: Contenders, _ goal: SearchGoal) {
    self.system = system
    self.part = part
    self.contenders = contenders
    self.goal = goal
    var setup = PartSetup(system, part)
    leadingCount = setup.lead(with: system.leading(contenders, goal, part))
    first = contenders.first.map { setup.contender($0) }
    second = contenders.second.map { setup.contender($0) }
    conditions = setup.conditions
    targetConditions = first.last?.conditions ?? []
    covering = first.dropLast().filter(\.isUnrestrictedAfter).flatMap { $0.conditions + [-1] }
    var isRequired = [Bool](repeating: false, count: conditions.count)
    if goal != .differences {
      for number in first.last?.conditions ?? [] { isRequired[number] = true }
    }
    self.isRequired = isRequired
    hasItems = conditions.contains { $0.name != nil }
    reader = setup.reader
    symbols = setup.symbols
    digits = setup.digits
    hasOnlyItems = setup.hasOnlyItems
    ordersItems = setup.ordersItems
    status = [Status](repeating: .failed, count: conditions.count)
    needed = [Bool](repeating: false, count: conditions.count)
  }

  mutating func run(_ search: inout LanguageSearch, _ example: ExampleURL) {
    next = [reader.initial.packed]
    for (number, condition) in conditions.enumerated() {
      let isItem = condition.name != nil
      next.append(ConditionState(number, isItem ? 0 : LanguagePattern.start).packed)
      if isItem { next.append(ItemProgress().packed) }
    }
    found(parent: -1, symbol: 0, &search, example)
    var state = 0
    // The characters that lead to the states up to `levelEnd`, what stands before them included.
    var length = example.length + (part == .path ? 0 : 1)
    var levelEnd = table.count
    while state < table.count, !search.isDone {
      if state == levelEnd {
        levelEnd = table.count
        length += 1
      }
      if let shortest = search.shortestLength, length + 1 >= shortest { return }
      if !isClosed[state] { expand(state, &search, example) }
      state += 1
    }
  }

  private mutating func expand(
    _ state: Int, _ search: inout LanguageSearch, _ example: ExampleURL
  ) {
    let reading = ReaderState(packed: table.words[table.range(of: state).lowerBound])
    for symbol in reading.percentPhase == 0 ? symbols : digits {
      if leadingCount > 0, isPlain(symbol, reading) {
        search.budget.spend(1)
        if !mayStep(from: state, symbol) { continue }
      }
      let isPossible = step(from: state, reading, symbol)
      search.budget.spend(next.count + 4 + system.memory.takeWork())
      if isPossible { found(parent: state, symbol: symbol, &search, example) }
      if search.isDone { return }
    }
    if search.budget.isSpent || table.count > LanguageLimits.states { search.giveUp() }
  }

  /// Takes the state in `next` if it is new.
  private mutating func found(
    parent: Int, symbol: UInt8, _ search: inout LanguageSearch, _ example: ExampleURL
  ) {
    var isOpen = true
    if part == .query {
      isOpen = assess(&search.budget)
      dropFailed()
    }
    guard table.insert(next, parent: parent, symbol: symbol) else { return }
    if part != .query { isOpen = assess(&search.budget) }
    isClosed.append(!isOpen)
    if isOpen { tryEnd(&search, example) }
  }

  /// Whether anything can be found from the state in `next` on.
  private mutating func assess(_ budget: inout WorkBudget) -> Bool {
    budget.spend(first.count + second.count)
    readStatus()
    if goal != .differences { return canTargetDecide }
    let left = live(first)
    let right = live(second)
    if left.list.isEmpty && right.list.isEmpty { return false }
    if isSameFuture(Contenders(first: left.list, second: right.list)) { return false }
    guard let one = constantDecision(left), let other = constantDecision(right) else {
      return true
    }
    return one != other
  }

  /// Whether the last rule may match, and none before it matches whatever follows.
  private var canTargetDecide: Bool {
    for number in targetConditions where status[number] == .failed { return false }
    var holds = true
    for number in covering {
      if number >= 0 {
        if status[number] != .holds { holds = false }
      } else if holds {
        return false
      } else {
        holds = true
      }
    }
    return true
  }

  private func isSameFuture(_ contenders: Contenders) -> Bool {
    guard contenders.first.count == contenders.second.count else { return false }
    return zip(contenders.first, contenders.second).allSatisfy {
      system.rules[$0].identities[part.rawValue] == system.rules[$1].identities[part.rawValue]
    }
  }

  private func constantDecision(_ live: (list: [Int], isEnded: Bool)) -> LinkOutcome? {
    if live.list.isEmpty { return .browser }
    guard live.isEnded else { return nil }
    let decision = system.outcome(live.list)
    let isExclusion = decision == .blocked
    return live.list.allSatisfy { system.rules[$0].isExclusion == isExclusion } ? decision : nil
  }

  /// The rules whose conditions may hold, up to the first that decides whatever follows.
  private func live(_ contenders: [Contender]) -> (list: [Int], isEnded: Bool) {
    var list: [Int] = []
    for contender in contenders {
      if contender.conditions.contains(where: { status[$0] == .failed }) { continue }
      list.append(contender.rule)
      if contender.isUnrestrictedAfter, contender.conditions.allSatisfy({ status[$0] == .holds }) {
        return (list, true)
      }
    }
    return (list, false)
  }

  private mutating func readStatus() {
    for index in status.indices { status[index] = .failed }
    var position = 1
    while position < next.count {
      let current = ConditionState(packed: next[position])
      let condition = conditions[current.number]
      let holds = condition.name == nil && condition.pattern.isUniversal(current.state)
      status[current.number] = holds ? .holds : .open
      position += condition.size
    }
  }

  /// Takes conditions out of `next` that no rule needs any more, since another one of it failed.
  private mutating func dropFailed() {
    for index in needed.indices { needed[index] = false }
    markNeeded(first)
    markNeeded(second)
    var kept = 1
    var position = 1
    while position < next.count {
      let number = ConditionState(packed: next[position]).number
      let size = conditions[number].size
      if needed[number] {
        if kept != position {
          for offset in 0..<size { next[kept + offset] = next[position + offset] }
        }
        kept += size
      }
      position += size
    }
    next.removeLast(next.count - kept)
  }

  private mutating func markNeeded(_ contenders: [Contender]) {
    for contender in contenders
    where !contender.conditions.contains(where: { status[$0] == .failed }) {
      for number in contender.conditions { needed[number] = true }
    }
  }

  /// If the text may end in the state in `next`, goes on to the next part with the rules that
  /// accept it.
  private mutating func tryEnd(_ search: inout LanguageSearch, _ example: ExampleURL) {
    let state = ReaderState(packed: next[0])
    guard reader.end(state, &output) else { return }
    search.budget.spend(1)
    if !mayEnd(isEmpty: state.isEmpty) { return }
    search.budget.spend(next.count + conditions.count)
    for index in status.indices { status[index] = .failed }
    var position = 1
    while position < next.count {
      let number = ConditionState(packed: next[position]).number
      if accepts(conditions[number], at: position, isEmpty: state.isEmpty) {
        status[number] = .holds
      }
      position += conditions[number].size
    }
    let accepted = Contenders(first: accepting(first), second: accepting(second))
    guard search.mayFind(from: part.next, accepted) else { return }
    var example = example
    let text = String(decoding: table.text(of: table.count - 1), as: UTF8.self)
    example[part] = part == .path ? "/" + text : text
    search.explore(from: part.next, accepted, example)
  }

  /// Whether the conditions that must hold do so at the end: they stand first.
  private func mayEnd(isEmpty: Bool) -> Bool {
    var position = 1
    while position < next.count {
      let number = ConditionState(packed: next[position]).number
      guard isRequired[number] else { break }
      if !accepts(conditions[number], at: position, isEmpty: isEmpty) { return false }
      position += conditions[number].size
    }
    return true
  }

  private func accepting(_ contenders: [Contender]) -> [Int] {
    var list: [Int] = []
    for contender in contenders
    where !contender.conditions.contains(where: { status[$0] != .holds }) {
      list.append(contender.rule)
      if contender.isUnrestrictedAfter { break }
    }
    return list
  }
}
