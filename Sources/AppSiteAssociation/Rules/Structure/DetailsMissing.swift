internal import Diagnostics

struct DetailsMissing: ValidationRule {
  static let code = "A013"
  static let severity = Diagnostic.Severity.warning
  static let name = "details-missing"
  static let documentation = RuleDocumentation(
    what: "`applinks` has no `details`",
    consequence: "without `details` no link opens an app",
    grade: .documented,
    wrong: #"{ "applinks": { "apps": [] } }"#,
    right: #"""
      { "applinks": { "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ] } }
      """#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let applinks = file.association.applinks, applinks.details == nil,
      !file.hasMisspeltKey("details", in: applinks.source)
    else { return }
    findings.report(
      applinks.keyRange, "applinks has no `details`",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  }
}
