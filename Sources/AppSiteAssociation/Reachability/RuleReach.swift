package import Diagnostics

/// Which URLs a rule decides: URLs that the rule matches and that no earlier rule matches.
package enum RuleReach: Sendable, Equatable {
  /// The rule decides some URLs. The example is one of them, usually one of the shortest.
  case decides(ExampleURL)
  /// No possible URL matches the rule.
  case matchesNothing
  /// The listed earlier rules together decide every URL that the rule matches. The list contains no
  /// unnecessary rule, unless the budget was spent during the search for unnecessary rules. The
  /// example is one of the shortest URLs that the rule matches.
  case isCovered(by: [Int], example: ExampleURL)
  /// The answer would take more work than `ReachabilityLimits` allows.
  case unknown
}

/// Finds the URLs that each rule of an entry decides. Rules are identified by their index in
/// `DetailsEntry.rules`.
package struct EntryReachability {
  private let source: [Rule]
  private let variables: SubstitutionVariables
  private let looks: [QuickLook]
  private let rules: ComparedRules

  /// - Parameter compiling: The remaining budget for compiling the patterns of the whole file.
  package init(
    _ rules: [Rule], _ variables: SubstitutionVariables, compiling: inout Budget
  ) {
    self.init(rules, variables, rules.map { QuickLook($0) }, compiling: &compiling)
  }

  /// - Parameter compiling: The remaining budget for compiling the patterns of the whole file.
  init(
    _ source: [Rule], _ variables: SubstitutionVariables, _ looks: [QuickLook],
    compiling: inout Budget
  ) {
    var compiled = CompiledRules(budget: compiling, of: ReachabilityLimits.patterns)
    _ = compiled.append(source, variables)
    compiling = compiled.budget
    self.source = source
    self.variables = variables
    self.looks = looks
    rules = ComparedRules(compiled)
  }

  /// Returns which URLs the rule at an index decides.
  ///
  /// - Parameter budget: The remaining budget of the whole file; see `ReachabilityLimits`.
  package func reach(of rule: Int, budget: inout Budget) -> RuleReach {
    if isTooLarge(rule) { return .unknown }
    guard let alone = search([], rule, &budget) else { return .unknown }
    guard let example = alone.example else { return .matchesNothing }
    budget.spend(rule / 2)
    let related = looks.related(before: rule)
    let earlier = related.filter { !isTooLarge($0) }
    let compiled = rules.compiled.rules
    if let same = earlier.first(where: { compiled[$0].asksTheSame(as: compiled[rule]) }) {
      return .isCovered(by: [same], example: example)
    }
    budget.spend(Self.matchSteps * earlier.count)
    let matching = rules.matching(earlier, example)
    if matching.isEmpty, earlier.count == related.count { return .decides(example) }
    // Compare the rule with single earlier rules first. These comparisons are the cheapest, and
    // most covered rules are covered by a single rule.
    let isCovering = { (candidate: Int, budget: inout Budget) in
      search([candidate], rule, &budget).map { $0.example == nil } ?? false
    }
    for candidate in matching.prefix(4) where isCovering(candidate, &budget) {
      return .isCovered(by: [candidate], example: example)
    }
    guard let all = search(earlier, rule, &budget) else { return .unknown }
    if let example = all.example {
      return earlier.count == related.count ? .decides(example) : .unknown
    }
    for candidate in matching.dropFirst(4) where isCovering(candidate, &budget) {
      return .isCovered(by: [candidate], example: example)
    }
    return .isCovered(by: covering(rule, earlier, &budget), example: example)
  }

  /// The approximate cost, in steps, of matching an example with a rule.
  private static let matchSteps = 10

  /// Tries a few URLs that the rule matches, and returns the first that no earlier rule matches. A
  /// shorter URL may exist. If the result is nil, the rule may still decide other URLs.
  ///
  /// For nearly all rules of nearly all files, this method finds a URL, even if the patterns of
  /// several rules begin alike.
  func quickExample(decidedBy rule: Int, budget: inout Budget) -> ExampleURL? {
    budget.spend(rule / 2)
    let related = looks.related(before: rule) + [rule]
    if related.contains(where: isTooLarge) { return nil }
    for run in ["", "x0"] {
      guard let example = ExampleURL.quick(source[rule], run: run, variables) else { continue }
      budget.spend(Self.matchSteps * related.count)
      if rules.matching(related, example) == [rule] { return example }
    }
    return nil
  }

  private func isTooLarge(_ rule: Int) -> Bool { rules.compiled.rules[rule].isTooLarge }

  /// Searches for a shortest URL that the rule matches and that no earlier rule matches. `example`
  /// is nil if no such URL exists.
  ///
  /// The whole result is nil if a limit ended the search before an answer was found.
  private func search(
    _ earlier: [Int], _ rule: Int, _ budget: inout Budget
  ) -> (example: ExampleURL?, Void)? {
    if budget.isSpent { return nil }
    var search = Search(
      rules, .decision(of: rule), budget: budget.part(ReachabilityLimits.questionSteps))
    search.run(earlier + [rule])
    // Charge a fixed cost for starting a search.
    budget.spend(search.budget.spent + 100 * (1 + min(earlier.count, 100)))
    if let found = search.findings.first { return (found.example, ()) }
    return search.isIncomplete ? nil : (nil, ())
  }

  /// Returns a minimal list of earlier rules that together cover the rule.
  private func covering(_ rule: Int, _ earlier: [Int], _ budget: inout Budget) -> [Int] {
    var needed = earlier
    for candidate in earlier.reversed() {
      let others = needed.filter { $0 != candidate }
      if let without = search(others, rule, &budget), without.example == nil { needed = others }
    }
    return needed
  }
}
