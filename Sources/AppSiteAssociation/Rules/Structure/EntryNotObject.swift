internal import Diagnostics
internal import JSON

struct EntryNotObject: ValidationRule {
  static let code = "A017"
  static let severity = Diagnostic.Severity.warning
  static let name = "entry-not-object"
  static let documentation = RuleDocumentation(
    what: "an element of `details` is not an object",
    consequence: "devices ignore it",
    grade: .undocumented,
    wrong: #""details": ["K27TX9P4QD.org.swift.shop"]"#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let details = file.association.applinks?.details?.value else { return }
    let values =
      details.kind == .array ? Array(details.elements) : details.members.map(\.value)
    for value in values where value.kind != .object {
      findings.report(
        value.head, "this entry of details is \(value.kindWords) and not an object",
        help: #"write `{"appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{"/": "/buy/*"}]}`"#
      )
    }
  }
}
