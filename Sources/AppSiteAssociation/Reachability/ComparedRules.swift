internal import Rules

/// Compiled rules that are compared with each other. Each pattern has an automaton that finds out
/// which texts the pattern matches.
struct ComparedRules {
  let compiled: CompiledRules
  /// The automaton of each pattern; nil for a pattern that is too large.
  let automata: [LazyAutomaton?]
  private let costs = AutomatonCosts()

  init(_ compiled: CompiledRules) {
    self.compiled = compiled
    let costs = costs
    automata = compiled.patterns.map { pattern in pattern.map { LazyAutomaton($0, costs) } }
  }

  /// Clears the caches of the automata if the caches are large.
  func trimMemory() {
    guard costs.words > ReachabilityLimits.keptWords else { return }
    costs.words = 0
    for automaton in automata { automaton?.forget() }
  }

  /// Returns the work that was not yet charged to a budget, and sets this work to 0.
  func takeWork() -> Int {
    defer { costs.work = 0 }
    return costs.work
  }

  /// Returns the rules of a list that match an example.
  func matching(_ list: [Int], _ example: ExampleURL) -> [Int] {
    let reference = Array(example.reference.utf8)
    guard let parts = try? URLParts(reference.span) else { return [] }
    let texts = URLTexts(reference.span, parts, decoding: true)
    return list.filter { compiled.matches(compiled.rules[$0], texts) }
  }
}

/// The rules of a list that may still decide the explored URL, in the order of the list.
struct RuleList: Hashable {
  var rules: [Int] = []
  /// Whether the last rule matches every continuation of the URL.
  var isFinal = false
}

/// The rules that may still decide the explored URL: of one list, or of two lists that are
/// compared.
struct Candidates: Hashable {
  var first: RuleList
  var second = RuleList()
}

extension ComparedRules {
  /// Returns the list up to the first rule that has no condition on this part or a later part.
  func list(_ list: [Int], from part: URLPart?) -> RuleList {
    let end = list.firstIndex { compiled.rules[$0].isUnrestricted(from: part) }
    return RuleList(rules: end.map { Array(list[...$0]) } ?? list, isFinal: end != nil)
  }

  /// Whether the search can stop, because no text of this part or a later part reaches the goal.
  func isSettled(_ candidates: Candidates, _ goal: SearchGoal, from part: URLPart?) -> Bool {
    switch goal {
    case .decision(let rule): return candidates.first.rules.last != rule
    case .differences:
      if let part, isSame(candidates.first, candidates.second, from: part) { return true }
      guard let left = onlyOutcome(of: candidates.first) else { return false }
      return left == onlyOutcome(of: candidates.second)
    }
  }

  /// Returns rules of which at least one must match to reach the goal. For a decision, returns only
  /// the deciding rule. For a difference in the path, returns the rules that only one of the
  /// compared lists has, because without these rules both lists make the same decision. For a
  /// difference in a later part, returns no rules.
  func leading(_ candidates: Candidates, _ goal: SearchGoal, _ part: URLPart) -> [Int] {
    switch goal {
    case .decision(let rule): return [rule]
    case .differences:
      guard part == .path else { return [] }
      return candidates.second.rules
        .difference(from: candidates.first.rules) { isSame($0, $1, from: part) }
        .map { change in
          switch change {
          case .remove(_, let rule, _), .insert(_, let rule, _): rule
          }
        }
    }
  }

  /// Whether both lists have the same conditions on this part and on each later part, in the same
  /// order, with the same decisions.
  func isSame(_ left: RuleList, _ right: RuleList, from part: URLPart) -> Bool {
    left.rules.elementsEqual(right.rules) { isSame($0, $1, from: part) }
  }

  private func isSame(_ left: Int, _ right: Int, from part: URLPart) -> Bool {
    outcome(left) == outcome(right)
      && compiled.rules[left].asksTheSame(as: compiled.rules[right], from: part)
  }

  /// Returns the outcome if it is the same for every continuation of the URL. Nil if the outcome
  /// may depend on the continuation.
  private func onlyOutcome(of list: RuleList) -> LinkOutcome? {
    if list.rules.isEmpty { return .browser }
    let outcomes = Set(list.rules.map(outcome))
    return list.isFinal && outcomes.count == 1 ? outcomes.first : nil
  }

  /// Returns the outcome of a URL that this rule decides. If `rule` is nil, no rule decides, so the
  /// link stays in the browser.
  func outcome(_ rule: Int?) -> LinkOutcome {
    guard let rule else { return .browser }
    return compiled.rules[rule].isExclusion ? .blocked : .opens
  }
}
