package import Diagnostics

/// Limits on the work for a question about the URLs that rules decide.
///
/// It can take exponential time to find out whether several patterns together match every text that
/// another pattern matches. If a question exceeds these limits, the answer is "unknown", but never
/// wrong.
package enum ReachabilityLimits {
  /// The maximum number of states of one pattern. A pattern exceeds this maximum if its variables
  /// have thousands of values.
  package static let patternStates = 8_192

  /// The maximum cost of compiling all compared patterns. A pattern costs its number of states
  /// (about 0.2 microseconds each) plus `statesForPattern`. Equal patterns are compiled once.
  package static let fileStates = 300_000
  package static let statesForPattern = 20

  /// The maximum size of all pattern tables together, in 8-byte words.
  package static let tableWords = 4_194_304

  static let patterns = CompiledRules.PatternLimits(
    states: patternStates, fixedCost: statesForPattern)

  /// The budget for compiling the patterns of one file.
  package static var compiling: Budget { Budget(operations: fileStates, bytes: 8 * tableWords) }

  /// The maximum memory, in words, for the states of automata that are stored for later questions.
  package static let keptWords = 2_097_152

  /// The maximum work for one question. The work is counted in machine words of the computed sets
  /// of states. Computing one word takes about a hundred nanoseconds.
  package static let questionSteps = 1_000_000

  /// The part of `questionSteps` that may be spent on finding a shorter example.
  package static let exampleSteps = 100_000

  /// The maximum work for all questions about the rules of one file. This maximum is enough for
  /// more rules than people write by hand.
  package static let fileSteps = 5_000_000
  package static let largeFileSteps = 2_500_000
  package static let handWrittenRules = 200

  /// The maximum work for comparing two files.
  package static let differenceSteps = 4_000_000

  /// The maximum number of states in one exploration.
  package static let states = 200_000

  /// The maximum number of examples to collect while comparing one app's rules.
  package static let examples = 1_000
}

/// The goal of a search.
enum SearchGoal: Equatable {
  /// Find a URL that this rule decides. This rule is the last rule of the first list.
  case decision(of: Int)
  /// Find an example for every pair of rules, one from each list, that decide the same URL
  /// differently.
  case differences
}

/// Finds URLs that show the effect of rules, or proves that no such URL exists.
///
/// The parts of a URL are independent: any path can precede any query and any fragment. So parts
/// are explored one after the other. The exploration of a part reads all texts at once, shortest
/// first, by stepping the automata of all patterns together (a subset construction over their joint
/// alphabet). Where a text may end, the search continues with the next part and with the rules that
/// accept the text. A part is explored again with the same set of rules only if the text before the
/// part is shorter. The search is exact for unions of rules, query items in any order, case
/// folding, and a mix of written and decoded patterns.
struct Search {
  /// An example and, from each list, the rule that decides the example. The rule is nil if no rule
  /// of the list decides the example.
  struct Finding {
    let first: Int?
    let second: Int?
    let example: ExampleURL
  }

  /// The deciding rules of a URL, one from each list.
  private struct Deciding: Hashable {
    let first: Int?
    let second: Int?
  }

  let rules: ComparedRules
  let goal: SearchGoal
  /// The remaining work; when it is spent, the answer is "unknown".
  var budget: Budget
  private(set) var findings: [Finding] = []
  /// Whether a limit ended the search early. If so, the search proves nothing.
  private(set) var isIncomplete = false

  /// The length of the shortest text that came before a part, keyed by the part, and then by the
  /// set of rules with which the search has explored the part.
  private var seen: [URLPart: [Candidates: Int]] = [:]
  private var indexes: [Deciding: Int] = [:]

  init(_ rules: ComparedRules, _ goal: SearchGoal, budget: Budget) {
    self.rules = rules
    self.goal = goal
    self.budget = budget
  }

  /// The length of the shortest example so far. Only a shorter example may replace this example.
  /// Nil if no example was found yet, or if the goal is to find all differences.
  var shortestLength: Int? { goal == .differences ? nil : findings.first?.example.length }

  var isDone: Bool { isIncomplete || (budget.isSpent && shortestLength != nil) }

  /// Marks the search as incomplete because a limit was reached. Does nothing if the search already
  /// has an example.
  mutating func giveUp() { if shortestLength == nil { isIncomplete = true } }

  mutating func run(_ first: [Int], _ second: [Int] = []) {
    rules.trimMemory()
    let candidates = Candidates(
      first: rules.list(first, from: .path), second: rules.list(second, from: .path))
    if rules.isSettled(candidates, goal, from: .path) { return }
    explore(from: .path, candidates, ExampleURL())
  }

  /// Continues the search at `part`. The candidates are the rules that accept the earlier parts of
  /// the example.
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

  /// Records the decision on a complete URL: the first rule of each list decides.
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
