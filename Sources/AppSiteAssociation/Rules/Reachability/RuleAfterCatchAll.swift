internal import Diagnostics

struct RuleAfterCatchAll: ValidationRule {
  static let code = "A081"
  static let severity = Diagnostic.Severity.warning
  static let name = "rule-after-catch-all"
  static let documentation = RuleDocumentation(
    what: "a rule stands after one that matches every link",
    consequence: "the first rule that matches decides, so no later one ever does",
    grade: .verified,
    wrong: #"""
      { "/": "*" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/account/*", "exclude": true },
      { "/": "*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for covered in file.coveredRules(.afterCatchAll) {
      findings.report(
        covered.rule.head,
        "this rule is never reached: \(covered.words(file)) matches every link",
        help: "remove it, or move the rule that matches every link to the end")
    }
  }
}
