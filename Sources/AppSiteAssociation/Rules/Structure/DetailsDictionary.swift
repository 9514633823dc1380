internal import Diagnostics
internal import JSON

struct DetailsDictionary: ValidationRule {
  static let code = "A016"
  static let severity = Diagnostic.Severity.note
  static let name = "details-dictionary"
  static let documentation = RuleDocumentation(
    what: "`details` is an object keyed by app identifier, the form of iOS 8",
    consequence: "devices still read it, but it has no order and room for one block for each app",
    grade: .verified,
    wrong: #"""
      "details": {
        "K27TX9P4QD.org.swift.shop": { "paths": ["/buy/*"] }
      }
      """#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let applinks = file.association.applinks, applinks.detailsForm == .dictionary,
      let details = applinks.details, !applinks.entries.isEmpty
    else { return }
    findings.report(
      details.keyRange, "details is written in the form of iOS 8, keyed by app identifier",
      help: #"write an array: `"details": [{"appIDs": ["K27TX9P4QD.org.swift.shop"], …}]`"#)
  }
}
