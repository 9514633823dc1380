internal import Diagnostics

struct VariableName: ValidationRule {
  static let code = "A125"
  static let severity = Diagnostic.Severity.warning
  static let name = "variable-name"
  static let documentation = RuleDocumentation(
    what: "the name of a variable is empty or contains `$`, `(` or `)`",
    consequence: "such a name cannot be used in a pattern",
    grade: .documented,
    wrong: #"""
      "substitutionVariables": { "$(food)": ["sushi", "pizza"] },
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
      let name = variable.name.value
      guard name.isEmpty || name.contains(where: { "$()".contains($0) }) else { continue }
      let plain = name.filter { !"$()".contains($0) }
      findings.report(
        variable.name.range, "no pattern can use a variable of this name",
        help: "write the name alone: `\"\(plain.isEmpty ? "food" : plain)\"`")
    }
  }
}
