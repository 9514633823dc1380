internal import Diagnostics

struct UnknownKey: ValidationRule {
  static let code = "A021"
  static let severity = Diagnostic.Severity.note
  static let name = "unknown-key"
  static let documentation = RuleDocumentation(
    what: "a key has no meaning for devices",
    consequence: "devices ignore it, and everybody can read it",
    grade: .verified,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "priority": 1,
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.keyed {
      for key in object.strangeKeys where key.fault == .unknown && !isDomainKey(key, object.level) {
        findings.report(
          key.range, "the key `\(key.key)` has no meaning \(object.level.words)",
          help: "remove it, or begin it with an underscore when it is a remark")
      }
    }
  }
}
