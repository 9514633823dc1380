internal import Diagnostics
internal import JSON

struct UnusedAppID: ValidationRule {
  static let code = "A027"
  static let severity = Diagnostic.Severity.warning
  static let name = "unused-app-id"
  static let documentation = RuleDocumentation(
    what: "an entry has `appIDs` and an `appID` that is not among them",
    consequence: "when `appIDs` is an array, even an empty one, `appID` is ignored",
    grade: .verified,
    wrong: #"""
      "appID": "K27TX9P4QD.org.swift.pay",
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.pay", "K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.identifierForm == .appIDs {
      guard let member = entry.source.lastMember("appID"), let text = member.value.string,
        !entry.appIdentifiers.contains(where: { $0.value == text })
      else { continue }
      findings.report(
        member.value.range, "this app is not among the `appIDs`, so the entry is not for it",
        help: "add it to appIDs and remove appID")
    }
  }
}
