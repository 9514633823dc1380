/// Shows that a rule decides something where a glance is enough: nearly all rules of nearly all
/// files begin with another path than those before them. No automaton is built.
struct EvidentReach {
  private let rules: [Glance]

  private struct Glance {
    let prefix: PathPrefix
    /// A URL that matches the rule; nil when it takes more to find one.
    let example: ExampleURL?
    /// Whether only URLs with such a part match.
    let needsQuery: Bool
    let needsFragment: Bool
  }

  init(_ rules: [Rule]) {
    self.rules = rules.map { rule in
      Glance(
        prefix: PathPrefix(rule), example: ExampleURL.evident(rule, ExampleURL.Recipe(run: "")),
        needsQuery: Self.needsQuery(rule),
        needsFragment: rule.effective.fragment.map { Self.needsText($0.value) } ?? false)
    }
  }

  /// A URL, not always a shortest one, that the rule at that place decides.
  ///
  /// Nil says nothing: whether there is one is a question for `EntryLanguages`.
  func example(decidedBy rule: Int) -> ExampleURL? {
    guard let example = rules[rule].example else { return nil }
    for earlier in rules[..<rule] {
      let cannotMatch =
        earlier.needsQuery && example.query.isEmpty
        || earlier.needsFragment && example.fragment.isEmpty
        || !earlier.prefix.isCompatible(with: rules[rule].prefix)
      if !cannotMatch { return nil }
    }
    return example
  }

  private static func needsQuery(_ rule: Rule) -> Bool {
    switch rule.effective.query {
    case .whole(let pattern): needsText(pattern.value)
    case .items(let items, _): items.contains { needsText($0.pattern.value) }
    case nil: false
    }
  }

  /// Whether the empty text does not match a pattern. A variable may have an empty value.
  private static func needsText(_ pattern: String) -> Bool {
    PatternSyntax(pattern).parts.contains { part in
      switch part.token {
      case .literal, .anyCharacter: true
      case .anyRun, .variable: false
      }
    }
  }
}
