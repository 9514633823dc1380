/// Finds URLs that show something about rules, or proves that there are none.
///
/// The parts of a URL are independent: any path can stand with any query and any fragment. So they
/// are explored one after the other. For a part all texts are read at once, shortest first, by
/// stepping the automata of all rules' patterns together (a subset construction over their joint
/// alphabet); where a text may end, the rules whose patterns accept it go on to the next part. Sets
/// of rules that were seen before are not explored again. This is exact for unions of rules, query
/// items in any order, case folding, and written beside decoded patterns.
struct LanguageSearch {
  /// An example, and the rules that decide it; nil where none does.
  struct Finding {
    let first: Int?
    let second: Int?
    let example: ExampleURL
  }

  let system: RuleSystem
  let goal: SearchGoal
  var budget: WorkBudget
  private(set) var findings: [Finding] = []
  /// Whether something was left out because a limit was reached: then nothing is proven.
  var isIncomplete = false

  private var seen: [Set<Contenders>] = [[], [], []]
  private var seenOutcomes: Set<Contenders> = []

  init(_ system: RuleSystem, _ goal: SearchGoal, budget: WorkBudget) {
    self.system = system
    self.goal = goal
    self.budget = budget
  }

  var isDone: Bool {
    if isIncomplete { return true }
    return goal != .differences && !findings.isEmpty
  }

  mutating func run(_ contenders: Contenders) {
    explore(from: .path, contenders, ExampleURL())
  }

  /// Explores the parts from `part` on for rules that accept what the example has before it.
  mutating func explore(from part: URLPart?, _ contenders: Contenders, _ example: ExampleURL) {
    var part = part
    let reduced = Contenders(
      first: system.reduced(contenders.first, from: part),
      second: system.reduced(contenders.second, from: part))
    if system.isSettled(reduced, goal, from: part) { return }
    while let current = part, isUnrestricted(reduced, current) { part = current.next }
    guard let part else { return conclude(reduced, example) }
    guard seen[part.rawValue].insert(reduced).inserted else { return }
    var exploration = PartExploration(system, part, reduced, goal)
    exploration.run(&self, example)
  }

  private func isUnrestricted(_ contenders: Contenders, _ part: URLPart) -> Bool {
    contenders.first.allSatisfy { system.rules[$0].atoms[part.rawValue].isEmpty }
      && contenders.second.allSatisfy { system.rules[$0].atoms[part.rawValue].isEmpty }
  }

  /// The whole URL is known: the first rule of each list decides.
  private mutating func conclude(_ contenders: Contenders, _ example: ExampleURL) {
    let deciding = Contenders(
      first: Array(contenders.first.prefix(1)), second: Array(contenders.second.prefix(1)))
    switch goal {
    case .decision(let rule): guard deciding.first == [rule] else { return }
    case .differences:
      guard system.outcome(deciding.first) != system.outcome(deciding.second) else { return }
    }
    guard seenOutcomes.insert(deciding).inserted else { return }
    findings.append(
      Finding(first: deciding.first.first, second: deciding.second.first, example: example))
    if findings.count >= LanguageLimits.examples { isIncomplete = true }
  }
}
