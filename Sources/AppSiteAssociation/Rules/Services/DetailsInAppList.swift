internal import Diagnostics
internal import JSON

struct DetailsInAppList: ValidationRule {
  static let code = "A144"
  static let severity = Diagnostic.Severity.warning
  static let name = "details-in-app-list"
  static let documentation = RuleDocumentation(
    what: "a service that lists apps has the shape of `applinks`",
    consequence: "these services only read `apps`, an array of app identifiers",
    grade: .documented,
    wrong: #"{ "webcredentials": { "details": [{ "appIDs": ["K27TX9P4QD.org.swift.shop"] }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for (name, list) in file.appLists {
      guard let member = list.source.lastMember("details") else { continue }
      findings.report(
        member.keyRange, "\(name) has no `details`",
        help: #"write `"apps": ["K27TX9P4QD.org.swift.shop"]`"#)
    }
  }
}
