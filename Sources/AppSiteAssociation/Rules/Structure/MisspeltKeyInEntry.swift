internal import Diagnostics

struct MisspeltKeyInEntry: ValidationRule {
  static let code = "A019"
  static let severity = Diagnostic.Severity.warning
  static let name = "misspelt-key-in-entry"
  static let documentation = RuleDocumentation(
    what: "a key of an entry of `details` is nearly one that devices read",
    consequence: "keys are case-sensitive and unknown ones are ignored",
    grade: .undocumented,
    wrong: #"""
      "appIds": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    reportMisspeltKeys(in: [.entry], of: file, into: &findings)
  }
}
