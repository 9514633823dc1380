internal import Diagnostics

struct RuleAfterCatchAll: ValidationRule {
  static let code = "A081"
  static let severity = Diagnostic.Severity.warning
  static let name = "rule-after-catch-all"
  static let documentation = RuleDocumentation(
    what: "a rule comes after an exclusion that matches every link",
    consequence: "the first rule that matches decides, so no later one ever does",
    grade: .verified,
    wrong: #"""
      { "/": "/help/*" },
      { "/": "*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/help/*" },
      { "/": "/buy/*" },
      { "/": "*", "exclude": true }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for covered in file.coveredRules(.afterCatchAll) {
      findings.report(
        covered.rule.head,
        "this rule is never reached: \(covered.words(file)) blocks every link",
        help: covered.helpForAbsence(file)
          ?? "move it before the exclusion, or remove it")
    }
  }
}
