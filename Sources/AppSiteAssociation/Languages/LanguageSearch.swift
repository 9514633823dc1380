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
  private(set) var isIncomplete = false

  /// Rules that were explored from a part on, and the length of the shortest text before it.
  private var seen: [[Contenders: Int]] = [[:], [:], [:]]
  private var indexes: [Contenders: Int] = [:]

  init(_ system: RuleSystem, _ goal: SearchGoal, budget: WorkBudget) {
    self.system = system
    self.goal = goal
    self.budget = budget
  }

  /// Only an example shorter than this is worth finding; nil when any is.
  var shortestLength: Int? { goal == .differences ? nil : findings.first?.example.length }

  var isDone: Bool { isIncomplete || (budget.isSpent && shortestLength != nil) }

  /// Tells that the budget is spent, or another limit reached.
  mutating func giveUp() { if shortestLength == nil { isIncomplete = true } }

  mutating func run(_ contenders: Contenders) {
    system.trimMemory()
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
    if let length = seen[part.rawValue][reduced], length <= example.length { return }
    seen[part.rawValue][reduced] = example.length
    var exploration = PartExploration(system, part, reduced, goal)
    exploration.run(&self, example)
  }

  /// Whether it can be worth exploring from a part on, for reduced lists.
  func mayFind(from part: URLPart?, _ contenders: Contenders) -> Bool {
    !system.isSettled(contenders, goal, from: part)
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
    let finding = Finding(
      first: deciding.first.first, second: deciding.second.first, example: example)
    if let index = indexes[deciding] {
      if example.length < findings[index].example.length { findings[index] = finding }
      return
    }
    indexes[deciding] = findings.count
    findings.append(finding)
    if goal != .differences {
      budget.reduce(to: LanguageLimits.exampleSteps)
    } else if findings.count >= LanguageLimits.examples {
      isIncomplete = true
    }
  }
}
