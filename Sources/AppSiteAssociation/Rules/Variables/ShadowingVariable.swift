internal import Diagnostics

struct ShadowingVariable: ValidationRule {
  static let code = "A124"
  static let severity = Diagnostic.Severity.warning
  static let name = "shadowing-variable"
  static let documentation = RuleDocumentation(
    what: "a variable has the name of a predefined one",
    consequence: "whether it hides the predefined one is left open",
    grade: .undocumented,
    wrong: #"""
      "substitutionVariables": { "lang": ["en", "de"], "food": ["sushi"] },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(lang)/$(food)/*" }] }
      ]
      """#,
    right: #"""
      "substitutionVariables": { "language": ["en", "de"], "food": ["sushi"] },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/$(language)/$(food)/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for variable in file.association.applinks?.variables.all ?? [] {
      let name = variable.name.value
      guard PredefinedVariable(rawValue: name) != nil else { continue }
      findings.report(
        variable.name.range, "`\(name)` is the name of a predefined variable",
        help:
          "give it a name of its own, for example `my\(name.prefix(1).uppercased())\(name.dropFirst())`"
      )
    }
  }
}
