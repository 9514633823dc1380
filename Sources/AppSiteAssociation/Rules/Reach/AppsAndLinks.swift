internal import Diagnostics
internal import JSON
internal import Rules

let appsAndLinksRules: [AssociationRule] = [
  AssociationRule(
    "A084", .warning, "app-never-opens", .verified, in: .components,
    "an entry has rules that open its apps, but no link reaches or matches these rules",
    "no link opens the app",
    wrong: #"""
      { "/": "*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "*", "exclude": true }
      """#
  ) { file, findings in
    for (entry, reaches) in zip(file.entries, file.reach.entries) {
      let opening = zip(entry.rules, reaches).filter { !$0.0.isExclusion }
      guard opening.allSatisfy({ $0.1.decidesNothing }),
        // Other checks report rules that match no link.
        opening.contains(where: { $0.1 != .matchesNothing })
      else { continue }
      findings.report(
        entry.ruleList?.keyRange ?? entry.source.head,
        "no link opens the app: earlier exclusions block every link that the app's rules "
          + "would open",
        help: entry.rules.first { $0.isExclusion && $0.acceptsAbsence }
          .map { absenceHelp(line: file.line(of: $0.source.range)) }
          ?? "move the rules that open links before the exclusions that block them")
    }
  },
  AssociationRule(
    "A088", .note, "apps-share-links", .observed, in: .applinks,
    "two entries of `details` open the same links in different apps",
    "if both apps are installed, the first entry decides",
    wrong: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.pay"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.pay"], "components": [{ "/": "/pay/*" }] }
      ]
      """#
  ) { file, findings in
    for shared in sharedLinks(of: file.association, file.reach.entries) {
      guard let first = file.entries[shared.first].appIdentifiers.first,
        let second = file.entries[shared.second].appIdentifiers.first
      else { continue }
      findings.report(
        second.range,
        "both `\(second.value)` and `\(first.value)` (line \(file.line(of: first.range))) open "
          + "`\(shared.example.reference)`",
        help: "list the app that should open these links first")
    }
  },
]

extension RuleReach {
  /// Whether the rule certainly decides no link.
  var decidesNothing: Bool {
    switch self {
    case .decides, .unknown: false
    case .matchesNothing, .isCovered: true
    }
  }
}

let neverMatchingRules = [ruleThatNeverMatches()]

/// - Parameter budget: The budget for finding out which part of a rule matches no URL. When the
///   budget is spent, a finding mentions the whole rule instead.
func ruleThatNeverMatches(
  _ budget: Budget = Budget(operations: ReachabilityLimits.questionSteps)
) -> AssociationRule {
  AssociationRule(
    "A083", .warning, "rule-that-never-matches", .reasoned, in: .components,
    "no possible URL matches a rule",
    "the rule never decides whether a link opens an app",
    wrong: #"""
      { "/": "/search", "?": { "q": "a&b" } },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/search", "?": { "q": "a%26b" } },
      { "/": "/buy/*" }
      """#
  ) { file, findings in
    var budget = budget
    var faults = findings.faults.sorted()[...]
    for (entry, reaches) in zip(file.entries, file.reach.entries) {
      for (rule, reach) in zip(entry.rules, reaches) where reach == .matchesNothing {
        // Other rules report a mistake in a pattern, or a variable without values, more precisely.
        let source = rule.source.range
        faults = faults.drop { $0 < source.lowerBound }
        if faults.first.map(source.contains) ?? false
          || file.patterns.contains(where: {
            source.contains($0.located.range.lowerBound) && hasVariableWithoutValues($0, file)
          })
        {
          continue
        }
        let (words, range) = impossiblePart(of: rule, file, &budget)
        findings.report(
          range, "no possible URL matches \(words)",
          help:
            "in a URL `?`, `#`, `&` and `%` have special meanings, and some characters occur only "
            + "percent-encoded: write `%3F`, `%23`, `%26`, `%25`, `%5E` for `^`")
      }
    }
  }
}

/// Finds a part of the rule that matches no URL, whatever the other parts contain. Returns words
/// for this part and its range in the file. If no part alone matches no URL, returns words for the
/// whole rule.
///
/// - Parameter budget: The remaining budget for this search in all rules of the file.
private func impossiblePart(
  of rule: Rule, _ file: FileUnderCheck, _ budget: inout Budget
) -> (String, Range<Int>) {
  let variables = file.association.variables
  var fields = [rule.effective, rule.effective, rule.effective]
  (fields[0].query, fields[0].fragment) = (nil, nil)
  (fields[1].path, fields[1].fragment) = (nil, nil)
  (fields[2].path, fields[2].query) = (nil, nil)
  for (index, words) in ["the path", "the query", "the fragment"].enumerated() {
    if budget.isSpent { break }
    var compiling = ReachabilityLimits.compiling
    let part = EntryReachability(
      [Rule(rule, asking: fields[index])], variables, compiling: &compiling)
    guard part.reach(of: 0, budget: &budget) == .matchesNothing else { continue }
    let query: Range<Int>? =
      switch rule.written.query {
      case .whole(let text): text.range
      case .items(_, let range): range
      case nil: nil
      }
    let ranges = [rule.written.path?.range, query, rule.written.fragment?.range]
    return ("\(words) of this rule", ranges[index] ?? rule.head)
  }
  return ("this rule", rule.head)
}

private func hasVariableWithoutValues(_ use: PatternUse, _ file: FileUnderCheck) -> Bool {
  use.syntax.variables.contains { part in
    guard case .variable(let name) = part.token else { return false }
    return PredefinedVariable(rawValue: name) == nil
      && file.association.variables[name]?.values.isEmpty ?? true
  }
}
