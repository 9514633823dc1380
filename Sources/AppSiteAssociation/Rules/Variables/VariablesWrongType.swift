internal import Diagnostics
internal import JSON

struct VariablesWrongType: ValidationRule {
  static let code = "A133"
  static let severity = Diagnostic.Severity.warning
  static let name = "variables-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`substitutionVariables` is not an object",
    consequence: "no variable is defined then",
    grade: .documented,
    wrong: #"""
      "substitutionVariables": ["food"],
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
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
    guard let value = file.association.applinks?.source.lastMember("substitutionVariables")?.value,
      value.kind != .object
    else { return }
    findings.report(
      value.head, "`substitutionVariables` is \(value.kindWords) and not an object",
      help: #"write `"substitutionVariables": {"food": ["sushi", "pizza"]}`"#)
  }
}
