internal import Diagnostics
internal import JSON

struct VariableWithoutValues: ValidationRule {
  static let code = "A127"
  static let severity = Diagnostic.Severity.warning
  static let name = "variable-without-values"
  static let documentation = RuleDocumentation(
    what: "a variable has no values",
    consequence: "patterns with it never match",
    grade: .reasoned,
    wrong: #"""
      "substitutionVariables": { "food": [] },
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
      guard variable.source.kind == .array, variable.source.elements.isEmpty else { continue }
      findings.report(
        variable.source.range, "the variable `\(variable.name.value)` has no values",
        help: "write what it stands for, or remove it")
    }
  }
}
