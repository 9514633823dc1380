internal import Diagnostics
internal import JSON

struct BothComponentsAndPaths: ValidationRule {
  static let code = "A052"
  static let severity = Diagnostic.Severity.note
  static let name = "both-components-and-paths"
  static let documentation = RuleDocumentation(
    what: "an entry has both `components` and `paths`",
    consequence: "`components` wins since iOS 13; only older systems read `paths`",
    grade: .documented,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.ruleForm == .components {
      guard let paths = entry.source.lastMember("paths") else { continue }
      findings.report(
        paths.keyRange, "`paths` is ignored, because the entry has `components`",
        help: "remove paths unless systems before iOS 13 are to be served")
    }
  }
}
