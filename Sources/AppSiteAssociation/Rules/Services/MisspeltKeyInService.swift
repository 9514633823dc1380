internal import Diagnostics

struct MisspeltKeyInService: ValidationRule {
  static let code = "A146"
  static let severity = Diagnostic.Severity.warning
  static let name = "misspelt-key-in-service"
  static let documentation = RuleDocumentation(
    what: "a key of a service is nearly `apps`",
    consequence: "keys are case-sensitive and unknown ones are ignored",
    grade: .documented,
    wrong: #"{ "webcredentials": { "Apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    reportMisspeltKeys(in: [.service], of: file, into: &findings)
  }
}
