internal import Diagnostics

struct MisspeltService: ValidationRule {
  static let code = "A011"
  static let severity = Diagnostic.Severity.warning
  static let name = "misspelt-service"
  static let documentation = RuleDocumentation(
    what: "a key at the top is nearly the name of a service",
    consequence:
      "names of services are case-sensitive and unknown keys are ignored, so the service does "
      + "nothing",
    grade: .undocumented,
    wrong: #"{ "webCredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    reportMisspeltKeys(in: [.top], of: file, into: &findings)
  }
}
