internal import Diagnostics

struct LateExclusion: ValidationRule {
  static let code = "A082"
  static let severity = Diagnostic.Severity.warning
  static let name = "late-exclusion"
  static let documentation = RuleDocumentation(
    what: "an exclusion comes after the rule that it is an exception of",
    consequence: "the first rule that matches decides, so the exclusion blocks nothing",
    grade: .verified,
    wrong: #"""
      { "/": "/buy/*" },
      { "/": "/buy/secret", "exclude": true }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for covered in file.coveredRules(.lateExclusion) {
      let example = covered.example.reference
      findings.report(
        covered.rule.head,
        "this exclusion blocks nothing: \(covered.words(file)) already opened all that it matches",
        help: covered.helpForAbsence(file)
          ?? "move it before that, so that `\(example)`, for example, is blocked")
    }
  }
}
