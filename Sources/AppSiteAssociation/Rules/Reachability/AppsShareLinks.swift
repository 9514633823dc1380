internal import Diagnostics

struct AppsShareLinks: ValidationRule {
  static let code = "A088"
  static let severity = Diagnostic.Severity.note
  static let name = "apps-share-links"
  static let documentation = RuleDocumentation(
    what: "two entries of `details` open the same links in different apps",
    consequence: "if both apps are installed, the first entry decides",
    grade: .observed,
    wrong: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.pay"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.pay"], "components": [{ "/": "/pay/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for shared in sharedLinks(of: file.association, file.reach.entries) {
      guard let first = file.association.applinks?.entries[shared.first].appIdentifiers.first,
        let second = file.association.applinks?.entries[shared.second].appIdentifiers.first
      else { continue }
      findings.report(
        second.range,
        "`\(second.value)` opens `\(shared.example.reference)`, which `\(first.value)` on line "
          + "\(file.line(of: first.range)) opens too",
        help: "put the app first that should win where both are installed")
    }
  }
}
