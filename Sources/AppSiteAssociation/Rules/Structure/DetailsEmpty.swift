internal import Diagnostics
internal import JSON

struct DetailsEmpty: ValidationRule {
  static let code = "A014"
  static let severity = Diagnostic.Severity.note
  static let name = "details-empty"
  static let documentation = RuleDocumentation(
    what: "`details` is empty",
    consequence: "no link of the domain opens an app",
    grade: .documented,
    wrong: #""details": []"#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let details = file.association.applinks?.details,
      details.value.members.isEmpty, details.value.elements.isEmpty,
      details.value.kind == .array || details.value.kind == .object,
      !isGeneratedEmptyFile(file.association)
    else { return }
    findings.report(
      details.value.range, "details is empty, so no link opens an app",
      help: "add an entry, or leave applinks out when that is meant")
  }
}
