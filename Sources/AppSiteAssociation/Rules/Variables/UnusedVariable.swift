internal import Diagnostics

struct UnusedVariable: ValidationRule {
  static let code = "A123"
  static let severity = Diagnostic.Severity.note
  static let name = "unused-variable"
  static let documentation = RuleDocumentation(
    what: "a variable is defined but not used",
    consequence: "it has no effect",
    grade: .reasoned,
    wrong: #"""
      "substitutionVariables": { "food": ["sushi", "pizza"], "drink": ["tea"] },
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
    guard let variables = file.association.applinks?.variables.all, !variables.isEmpty else {
      return
    }
    var used: Set<String> = []
    for use in file.patterns {
      for part in use.syntax.variables {
        if case .variable(let name) = part.token { used.insert(name) }
      }
    }
    for variable in variables where !used.contains(variable.name.value) {
      if variable.name.value.contains(where: { "$()".contains($0) }) { continue }
      findings.report(
        variable.name.range, "no pattern uses the variable `\(variable.name.value)`",
        help: "remove it, or write `$(\(variable.name.value))` where it is meant")
    }
  }
}
