internal import Diagnostics
internal import JSON

struct BothAppIDAndAppIDs: ValidationRule {
  static let code = "A028"
  static let severity = Diagnostic.Severity.note
  static let name = "both-app-id-and-app-ids"
  static let documentation = RuleDocumentation(
    what: "an entry has `appIDs` and an `appID` that is one of them",
    consequence: "`appIDs` counts since iOS 13; only older systems read `appID`",
    grade: .verified,
    wrong: #"""
      "appID": "K27TX9P4QD.org.swift.shop",
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.identifierForm == .appIDs {
      guard let member = entry.source.lastMember("appID"), let text = member.value.string,
        entry.appIdentifiers.contains(where: { $0.value == text })
      else { continue }
      findings.report(
        member.keyRange, "the entry has both `appID` and `appIDs`",
        help: "remove appID unless systems before iOS 13 are to be served")
    }
  }
}
