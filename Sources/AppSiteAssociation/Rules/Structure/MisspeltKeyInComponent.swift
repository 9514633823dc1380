internal import Diagnostics

struct MisspeltKeyInComponent: ValidationRule {
  static let code = "A020"
  static let severity = Diagnostic.Severity.warning
  static let name = "misspelt-key-in-component"
  static let documentation = RuleDocumentation(
    what: "a key of a component or of `defaults` is nearly one that devices read",
    consequence: "unknown keys are ignored, so the rule matches more than it says",
    grade: .verified,
    wrong: #"{ "/": "/buy/*", "casesensitive": false }"#,
    right: #"{ "/": "/buy/*", "caseSensitive": false }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    reportMisspeltKeys(in: [.component, .defaults], of: file, into: &findings)
  }
}
