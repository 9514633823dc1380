internal import Diagnostics

struct UnreachableRule: ValidationRule {
  static let code = "A080"
  static let severity = Diagnostic.Severity.warning
  static let name = "unreachable-rule"
  static let documentation = RuleDocumentation(
    what: "earlier rules already decide every link that a rule matches, and otherwise",
    consequence: "the first rule that matches decides, so this one never does",
    grade: .verified,
    wrong: #"""
      { "/": "/account/*", "exclude": true },
      { "/": "/account/orders/*" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/account/orders/*" },
      { "/": "/account/*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for covered in file.coveredRules(.contradicting) {
      findings.report(
        covered.rule.head,
        "this rule is never reached: \(covered.words(file)) already decided all that it matches",
        help: covered.helpForAbsence(file)
          ?? "move it before \(covered.earlier.count == 1 ? "that rule" : "those rules") if it is "
          + "to decide, for example, `\(covered.example.reference)`")
    }
  }
}
