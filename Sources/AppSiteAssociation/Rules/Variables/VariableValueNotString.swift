internal import Diagnostics
internal import JSON

struct VariableValueNotString: ValidationRule {
  static let code = "A128"
  static let severity = Diagnostic.Severity.warning
  static let name = "variable-value-not-string"
  static let documentation = RuleDocumentation(
    what: "a value of a variable is not a string",
    consequence: "devices expect strings",
    grade: .documented,
    wrong: #"""
      "substitutionVariables": { "food": ["sushi", 7] },
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
      for element in variable.source.elements where element.kind != .string {
        findings.report(
          element.head, "this value is \(element.kindWords) and not a string",
          help: "write it in quotes")
      }
    }
  }
}
