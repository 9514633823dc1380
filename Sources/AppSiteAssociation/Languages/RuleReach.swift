/// What a rule decides, beside the rules before it.
package enum RuleReach: Sendable, Equatable {
  /// The rule decides some URLs; this is a shortest one.
  case decides(ExampleURL)
  /// No URL that can exist matches the rule.
  case matchesNothing
  /// Every URL that the rule matches is decided by one of these rules before it; none of them could
  /// be left out. The example is a shortest URL that the rule would match.
  case isCovered(by: [Int], example: ExampleURL)
  /// It takes more work to find out than `LanguageLimits` allow.
  case unknown
}

/// Questions about the languages of one entry's rules. Rules are named by their places in
/// `DetailsEntry.rules`.
package struct EntryLanguages {
  private let system: RuleSystem

  package init(_ rules: [Rule], _ variables: SubstitutionVariables) {
    var states = LanguageLimits.fileStates
    self.init(rules, variables, states: &states)
  }

  /// `states` is what may still be built for the whole file, see `LanguageLimits`.
  init(_ rules: [Rule], _ variables: SubstitutionVariables, states: inout Int) {
    var system = RuleSystem(states: states)
    _ = system.append(rules, variables)
    states = system.states
    self.system = system
  }

  /// What the rule at that place decides.
  ///
  /// `steps` is the work that may still be done for the whole file, see `LanguageLimits`.
  package func reach(of rule: Int, steps: inout Int) -> RuleReach {
    if system.rules[rule].isOpaque { return .unknown }
    guard let alone = search([], rule, &steps) else { return .unknown }
    guard let example = alone.example else { return .matchesNothing }
    // What it takes to look at all of them.
    steps -= rule / 2
    let prefix = system.rules[rule].pathPrefix
    let related = (0..<rule).filter { system.rules[$0].pathPrefix.isCompatible(with: prefix) }
    let earlier = related.filter { !system.rules[$0].isOpaque }
    let identity = system.rules[rule].identities[0]
    if let same = earlier.first(where: { isSame(system.rules[$0], system.rules[rule], identity) }) {
      return .isCovered(by: [same], example: example)
    }
    guard let all = search(earlier, rule, &steps) else { return .unknown }
    if let example = all.example {
      return earlier.count == related.count ? .decides(example) : .unknown
    }
    return .isCovered(by: covering(rule, earlier, example, &steps), example: example)
  }

  private func isSame(_ left: SystemRule, _ right: SystemRule, _ identity: Int) -> Bool {
    left.identities[0] == identity || left.atoms.map(Set.init) == right.atoms.map(Set.init)
  }

  /// The shortest URL that the rule matches and no earlier one; `example` is nil when there is none.
  ///
  /// Nil when that is not known.
  private func search(
    _ earlier: [Int], _ rule: Int, _ steps: inout Int
  ) -> (example: ExampleURL?, Void)? {
    let allowance = min(steps, LanguageLimits.questionSteps)
    guard allowance > 0 else { return nil }
    var search = LanguageSearch(system, .decision(of: rule), budget: WorkBudget(allowance))
    search.run(Contenders(first: earlier + [rule]))
    // What it takes to begin.
    steps -= search.budget.spent + 100 * (1 + min(earlier.count, 100))
    if let found = search.findings.first { return (found.example, ()) }
    return search.isIncomplete ? nil : (nil, ())
  }

  /// The first rule that covers it alone, or else some that do together, of which none can be left
  /// out.
  private func covering(
    _ rule: Int, _ earlier: [Int], _ example: ExampleURL, _ steps: inout Int
  ) -> [Int] {
    for candidate in earlier where system.matches(candidate, example) {
      if let alone = search([candidate], rule, &steps), alone.example == nil { return [candidate] }
    }
    var needed = earlier
    for candidate in earlier.reversed() {
      let others = needed.filter { $0 != candidate }
      if let without = search(others, rule, &steps), without.example == nil { needed = others }
    }
    return needed
  }
}

extension Rule {
  /// A rule with other conditions.
  init(_ rule: Rule, asking fields: RuleFields) {
    index = rule.index
    source = rule.source
    written = fields
    effective = fields
  }
}
