internal import Diagnostics
internal import JSON

struct DetailsWrongType: ValidationRule {
  static let code = "A015"
  static let severity = Diagnostic.Severity.error
  static let name = "details-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`details` is neither an array nor an object",
    consequence: "universal links are broken for all apps",
    grade: .documented,
    wrong: #""details": "K27TX9P4QD.org.swift.shop""#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let applinks = file.association.applinks, let details = applinks.details,
      applinks.detailsForm == .none
    else { return }
    findings.report(
      details.value.range, "details is \(details.value.kindWords) and not an array",
      help: #"write `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{}]}]`"#)
  }
}
