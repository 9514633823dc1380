internal import Diagnostics
internal import JSON
internal import Rules

let neverMatchingRules: [AssociationRule] = [
  AssociationRule(
    "A083", .warning, "rule-that-never-matches",
    what: "no URL that can exist matches a rule",
    consequence: "the rule decides nothing",
    grade: .reasoned,
    wrong: #"""
      { "/": "/search", "?": { "q": "a&b" } },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/search", "?": { "q": "a%26b" } },
      { "/": "/buy/*" }
      """#,
    in: .components
  ) { file, findings in
    for (entry, reaches) in zip(file.association.applinks?.entries ?? [], file.reach.entries) {
      for (rule, reach) in zip(entry.rules, reaches) where reach == .matchesNothing {
        let source = rule.source.range
        let patterns = file.patterns.filter { source.contains($0.located.range.lowerBound) }
        // Other rules report these patterns.
        if patterns.contains(where: hasKnownFault) { continue }
        let (words, range) = impossiblePart(of: rule, file)
        findings.report(
          range, "no URL that can exist matches \(words)",
          help:
            "correct it: in a URL `?`, `#`, `&` and `%` separate parts; as characters of a text "
            + "they are written `%3F`, `%23`, `%26` and `%25`")
      }
    }
  }
]

/// Returns a part that matches nothing by itself, and its place.
private func impossiblePart(
  of rule: Rule, _ file: FileUnderCheck
) -> (String, Range<Int>) {
  let variables = file.association.applinks?.variables ?? .empty
  var fields = [rule.effective, rule.effective, rule.effective]
  (fields[0].query, fields[0].fragment) = (nil, nil)
  (fields[1].path, fields[1].fragment) = (nil, nil)
  (fields[2].path, fields[2].query) = (nil, nil)
  for (index, words) in ["the path", "the query", "the fragment"].enumerated() {
    let part = EntryReachability([Rule(rule, asking: fields[index])], variables)
    var steps = ReachabilityLimits.questionSteps
    guard part.reach(of: 0, steps: &steps) == .matchesNothing else { continue }
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

/// Whether a pattern has a character or variable that never matches and that another rule reports.
private func hasKnownFault(_ use: PatternUse) -> Bool {
  use.syntax.parts.contains { part in
    switch part.token {
    case .literal(let scalar):
      let isInURLs =
        scalar.isASCII && scalar.value > 0x20
        && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
      return use.isPercentEncoded && (!isInURLs || scalar == "#" || scalar == "%")
    case .variable: return true
    case .anyRun, .anyCharacter: return false
    }
  }
}
