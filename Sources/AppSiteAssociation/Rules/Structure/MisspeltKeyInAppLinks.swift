internal import Diagnostics

struct MisspeltKeyInAppLinks: ValidationRule {
  static let code = "A018"
  static let severity = Diagnostic.Severity.warning
  static let name = "misspelt-key-in-applinks"
  static let documentation = RuleDocumentation(
    what: "a key of `applinks` is nearly one that devices read",
    consequence: "keys are case-sensitive and unknown ones are ignored",
    grade: .undocumented,
    wrong: #"""
      "detail": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    reportMisspeltKeys(in: [.applinks], of: file, into: &findings)
  }
}
