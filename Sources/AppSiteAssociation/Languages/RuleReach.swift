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
    steps -= Self.matchSteps * earlier.count
    let matching = system.matching(earlier, example)
    if matching.isEmpty, earlier.count == related.count { return .decides(example) }
    // To compare two rules takes least, and most rules that are covered are so by one.
    let isCovering = { (candidate: Int, steps: inout Int) in
      search([candidate], rule, &steps).map { $0.example == nil } ?? false
    }
    for candidate in matching.prefix(4) where isCovering(candidate, &steps) {
      return .isCovered(by: [candidate], example: example)
    }
    guard let all = search(earlier, rule, &steps) else { return .unknown }
    if let example = all.example {
      return earlier.count == related.count ? .decides(example) : .unknown
    }
    for candidate in matching.dropFirst(4) where isCovering(candidate, &steps) {
      return .isCovered(by: [candidate], example: example)
    }
    return .isCovered(by: covering(rule, earlier, &steps), example: example)
  }

  /// How many steps it takes, about, to match an example with a rule.
  private static let matchSteps = 10

  /// A URL, not always a shortest one, that the rule decides: one of a few that it matches and no
  /// earlier one does. Nil says nothing.
  ///
  /// Nearly all rules of nearly all files are known by that, also where they begin alike.
  package func evidentExample(
    decidedBy rule: Int, _ source: Rule, _ variables: SubstitutionVariables, steps: inout Int
  ) -> ExampleURL? {
    let prefix = system.rules[rule].pathPrefix
    steps -= rule / 2
    let related = (0...rule).filter { system.rules[$0].pathPrefix.isCompatible(with: prefix) }
    if related.contains(where: { system.rules[$0].isOpaque }) { return nil }
    for run in ["", "x0"] {
      let recipe = ExampleURL.Recipe(run: run, variables: variables)
      guard let example = ExampleURL.evident(source, recipe) else { continue }
      steps -= Self.matchSteps * related.count
      if system.matching(related, example) == [rule] { return example }
    }
    return nil
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

  /// Some rules that cover it together, of which none can be left out.
  private func covering(_ rule: Int, _ earlier: [Int], _ steps: inout Int) -> [Int] {
    var needed = earlier
    for candidate in earlier.reversed() {
      let others = needed.filter { $0 != candidate }
      if let without = search(others, rule, &steps), without.example == nil { needed = others }
    }
    return needed
  }
}
