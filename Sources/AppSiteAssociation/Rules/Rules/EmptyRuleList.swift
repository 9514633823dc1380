internal import Diagnostics
internal import JSON

struct EmptyRuleList: ValidationRule {
  static let code = "A051"
  static let severity = Diagnostic.Severity.warning
  static let name = "empty-rule-list"
  static let documentation = RuleDocumentation(
    what: "a list of rules is empty",
    consequence: "an empty list never matches, so no link opens the app",
    grade: .verified,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": []
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.ruleForm != .none {
      let name = entry.ruleForm == .components ? "components" : "paths"
      guard let list = entry.source.lastMember(name)?.value, list.elements.isEmpty else { continue }
      findings.report(
        list.range, "`\(name)` is empty, so no link opens the app",
        help: name == "paths"
          ? #"write `"paths": ["/buy/*"]`, or `["*"]` for every link"#
          : #"write `"components": [{"/": "/buy/*"}]`, or `[{}]` for every link"#)
    }
  }
}
