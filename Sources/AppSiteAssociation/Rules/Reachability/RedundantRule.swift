internal import Diagnostics

struct RedundantRule: ValidationRule {
  static let code = "A085"
  static let severity = Diagnostic.Severity.note
  static let name = "redundant-rule"
  static let documentation = RuleDocumentation(
    what: "earlier rules already decide every link that a rule matches, in the same way",
    consequence: "the first rule that matches decides, so the file means the same without this one",
    grade: .verified,
    wrong: #"""
      { "/": "/buy/*" },
      { "/": "/buy/shoes" }
      """#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for covered in file.coveredRules(.redundant) {
      findings.report(
        covered.rule.head,
        "this rule changes nothing: \(covered.words(file)) already decided all that it matches",
        help: "remove it, or move it before if it is meant to be an exception")
    }
  }
}
