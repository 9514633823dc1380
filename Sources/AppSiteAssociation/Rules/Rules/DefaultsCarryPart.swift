internal import Diagnostics
internal import JSON

struct DefaultsCarryPart: ValidationRule {
  static let code = "A062"
  static let severity = Diagnostic.Severity.note
  static let name = "defaults-carry-part"
  static let documentation = RuleDocumentation(
    what: "`defaults` give a path, query, fragment or `exclude`",
    consequence:
      "for `paths` Apple does not say what follows; every component that does not say it itself takes "
      + "it over",
    grade: .verified,
    wrong: #"""
      "defaults": { "exclude": true },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*", "exclude": false }] }
      ]
      """#,
    right: #"""
      "defaults": { "caseSensitive": false },
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    let defaults = [file.association.applinks?.defaults] + file.entries.map(\.defaults)
    for object in defaults.compactMap(\.self) {
      for key in ["/", "?", "#", "exclude"] {
        guard let member = object.source.lastMember(key) else { continue }
        findings.report(
          member.keyRange, "`defaults` give every rule a value of `\(key)`",
          help: "write it into the rules that it is meant for")
      }
    }
  }
}
