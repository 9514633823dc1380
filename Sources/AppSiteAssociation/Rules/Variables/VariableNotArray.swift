internal import Diagnostics
internal import JSON

struct VariableNotArray: ValidationRule {
  static let code = "A126"
  static let severity = Diagnostic.Severity.warning
  static let name = "variable-not-array"
  static let documentation = RuleDocumentation(
    what: "the value of a variable is not an array",
    consequence: "the variable has no values, and patterns with it never match",
    grade: .documented,
    wrong: #"""
      "substitutionVariables": { "food": "sushi" },
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
    for variable in file.association.applinks?.variables.all ?? []
    where variable.source.kind != .array {
      findings.report(
        variable.source.head,
        "the variable `\(variable.name.value)` is \(variable.source.kindWords) and not an array",
        help: "write `\"\(variable.name.value)\": [\"sushi\", \"pizza\"]`")
    }
  }
}
