internal import Diagnostics
internal import JSON

struct AppsWrongType: ValidationRule {
  static let code = "A141"
  static let severity = Diagnostic.Severity.error
  static let name = "apps-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`apps` of a service is not an array",
    consequence: "the service is broken for all apps",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": "K27TX9P4QD.org.swift.shop" } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for (name, list) in file.appLists {
      guard let value = list.source.lastMember("apps")?.value, value.kind != .array else {
        continue
      }
      findings.report(
        value.head, "`apps` in \(name) is \(value.kindWords) and not an array",
        help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]`"#)
    }
  }
}
