internal import Diagnostics
internal import JSON

struct DefaultsWrongType: ValidationRule {
  static let code = "A061"
  static let severity = Diagnostic.Severity.warning
  static let name = "defaults-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`defaults` is not an object",
    consequence: "a value of another type is as if it were not there",
    grade: .undocumented,
    wrong: #"""
      "defaults": false,
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
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
    let objects =
      [file.association.applinks?.source].compactMap(\.self) + file.entries.map(\.source)
    for object in objects {
      guard let value = object.lastMember("defaults")?.value, value.kind != .object else {
        continue
      }
      findings.report(
        value.head, "`defaults` is \(value.kindWords) and not an object",
        help: #"write `"defaults": {"caseSensitive": false}`"#)
    }
  }
}
