internal import Diagnostics

struct RepeatedValue: ValidationRule {
  static let code = "A129"
  static let severity = Diagnostic.Severity.note
  static let name = "repeated-value"
  static let documentation = RuleDocumentation(
    what: "a variable has the same value twice",
    consequence: "the second has no effect",
    grade: .reasoned,
    wrong: #"""
      "substitutionVariables": { "food": ["sushi", "sushi"] },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
      ]
      """#,
    right: #"""
      "substitutionVariables": { "food": ["sushi", "pizza"] },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(food)/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for variable in file.association.applinks?.variables.all ?? [] {
      var seen: Set<ExactText> = []
      for value in variable.values where !seen.insert(ExactText(value.value)).inserted {
        findings.report(
          value.range, "`\(value.value)` is a value of this variable already", help: "remove it")
      }
    }
  }
}
