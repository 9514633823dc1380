/// The goal of a search.
enum SearchGoal: Equatable {
  /// A URL that this rule, the last of the first list, decides.
  case decision(of: Int)
  /// All pairs of rules that decide some URL differently.
  case differences
}

/// Finds URLs that show something about rules, or proves that there are none.
///
/// The parts of a URL are independent: any path can stand with any query and any fragment. So they
/// are explored one after the other. For a part all texts are read at once, shortest first, by
/// stepping the automata of all rules' patterns together (a subset construction over their joint
/// alphabet); where a text may end, the rules whose patterns accept it go on to the next part. Sets
/// of rules that were seen before are not explored again. This is exact for unions of rules, query
/// items in any order, case folding, and written beside decoded patterns.
struct Search {
  /// An example, and the deciding rules; nil if there is none.
  struct Finding {
    let first: Int?
    let second: Int?
    let example: ExampleURL
  }

  /// Two rules, one of each list, that decide a URL.
  private struct Deciding: Hashable {
    let first: Int?
    let second: Int?
  }

  let rules: ComparedRules
  let goal: SearchGoal
  var budget: WorkBudget
  private(set) var findings: [Finding] = []
  /// Whether something was left out because of a limit: then nothing is proven.
  private(set) var isIncomplete = false

  /// Rules that were explored from a part on, and the length of the shortest text before it.
  private var seen: [URLPart: [Candidates: Int]] = [:]
  private var indexes: [Deciding: Int] = [:]

  init(_ rules: ComparedRules, _ goal: SearchGoal, budget: WorkBudget) {
    self.rules = rules
    self.goal = goal
    self.budget = budget
  }

  /// Only an example shorter than this is worth finding; nil when any is.
  var shortestLength: Int? { goal == .differences ? nil : findings.first?.example.length }

  var isDone: Bool { isIncomplete || (budget.isSpent && shortestLength != nil) }

  /// Ends the search because the budget is spent, or another limit is reached.
  mutating func giveUp() { if shortestLength == nil { isIncomplete = true } }

  mutating func run(_ first: [Int], _ second: [Int] = []) {
    rules.trimMemory()
    let candidates = Candidates(
      first: rules.list(first, from: .path), second: rules.list(second, from: .path))
    if rules.isSettled(candidates, goal, from: .path) { return }
    explore(from: .path, candidates, ExampleURL())
  }

  /// Explores the parts from `part` on for rules that accept the example's parts before it.
  mutating func explore(from part: URLPart?, _ candidates: Candidates, _ example: ExampleURL) {
    var part = part
    while let current = part, asksNothing(candidates, of: current) { part = current.next }
    guard let part else { return conclude(candidates, example) }
    if let length = seen[part]?[candidates], length <= example.length { return }
    seen[part, default: [:]][candidates] = example.length
    var exploration = PartExploration(rules, part, candidates, goal)
    exploration.run(&self, example)
  }

  private func asksNothing(_ candidates: Candidates, of part: URLPart) -> Bool {
    (candidates.first.rules + candidates.second.rules)
      .allSatisfy { rules.compiled.rules[$0].conditions[part.rawValue].isEmpty }
  }

  /// The whole URL is known: the first rule of each list decides.
  private mutating func conclude(_ candidates: Candidates, _ example: ExampleURL) {
    let deciding = Deciding(
      first: candidates.first.rules.first, second: candidates.second.rules.first)
    switch goal {
    case .decision(let rule): guard deciding.first == rule else { return }
    case .differences:
      guard rules.outcome(deciding.first) != rules.outcome(deciding.second) else { return }
    }
    let finding = Finding(first: deciding.first, second: deciding.second, example: example)
    if let index = indexes[deciding] {
      if example.length < findings[index].example.length { findings[index] = finding }
      return
    }
    indexes[deciding] = findings.count
    findings.append(finding)
    if goal != .differences {
      budget.reduce(to: ReachabilityLimits.exampleSteps)
    } else if findings.count >= ReachabilityLimits.examples {
      isIncomplete = true
    }
  }
}
