internal import Diagnostics
internal import JSON

struct RuleThatNeverMatches: ValidationRule {
  static let code = "A083"
  static let severity = Diagnostic.Severity.warning
  static let name = "rule-that-never-matches"
  static let documentation = RuleDocumentation(
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
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for (entry, reaches) in zip(file.entries, file.reach.entries) {
      for (rule, reach) in zip(entry.rules, reaches) where reach == .matchesNothing {
        let patterns = file.patterns.filter { rule.source.range.contains($0.located.range.lowerBound) }
        // Other rules tell of these.
        if patterns.contains(where: hasKnownFault) { continue }
        findings.report(
          rule.head, "no URL that can exist matches this rule",
          help: "correct it: in a URL `?`, `#`, `&` and `%` separate parts; as characters of a text "
            + "they are written `%3F`, `%23`, `%26` and `%25`")
      }
    }
  }

  /// A character or a variable that never matches, for which there is a better diagnostic.
  private static func hasKnownFault(_ use: PatternUse) -> Bool {
    use.syntax.parts.contains { part in
      switch part.token {
      case .literal(let scalar):
        let isInURLs = scalar.isASCII && scalar.value > 0x20 && !"\"<>\\^`{|}".unicodeScalars.contains(scalar)
        return use.isPercentEncoded && (!isInURLs || scalar == "#" || scalar == "%")
      case .variable: return true
      case .anyRun, .anyCharacter: return false
      }
    }
  }
}
