internal import Diagnostics

struct VariableInVariable: ValidationRule {
  static let code = "A122"
  static let severity = Diagnostic.Severity.warning
  static let name = "variable-in-variable"
  static let documentation = RuleDocumentation(
    what: "a value of a variable refers to a variable",
    consequence: "values may hold `*` and `?` but no variable: it is taken as text",
    grade: .documented,
    wrong: #"""
      "substitutionVariables": { "food": ["sushi", "$(lang)"] },
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
      for value in variable.values where holds("$(", value.value) {
        findings.report(
          value.range, "a variable's value cannot refer to another variable",
          help: "write out the values")
      }
    }
  }
}
