internal import Diagnostics
internal import JSON

struct AppsMissing: ValidationRule {
  static let code = "A140"
  static let severity = Diagnostic.Severity.warning
  static let name = "apps-missing"
  static let documentation = RuleDocumentation(
    what: "a service that lists apps has no `apps`",
    consequence: "without `apps` the service is for no app",
    grade: .documented,
    wrong: #"{ "webcredentials": {} }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for (name, list) in file.appLists where list.source.member("apps") == nil {
      if file.hasMisspeltKey("apps", in: list.source) || list.source.member("details") != nil {
        continue
      }
      findings.report(
        list.keyRange, "\(name) has no `apps`",
        help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]` into it"#)
    }
  }
}
