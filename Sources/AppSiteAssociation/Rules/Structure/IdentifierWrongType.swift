internal import Diagnostics
internal import JSON

struct IdentifierWrongType: ValidationRule {
  static let code = "A029"
  static let severity = Diagnostic.Severity.warning
  static let name = "identifier-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`appIDs` is not an array of strings, or `appID` is not a string",
    consequence: "a value of another type is as if it were not there",
    grade: .verified,
    wrong: #"""
      "appIDs": "K27TX9P4QD.org.swift.shop",
      "components": [{ "/": "/buy/*" }]
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.identifierForm != .dictionaryKey {
      if let list = entry.source.lastMember("appIDs") {
        if list.value.kind != .array {
          findings.report(
            list.value.head, "appIDs is \(list.value.kindWords) and not an array",
            help: #"write `"appIDs": ["K27TX9P4QD.org.swift.shop"]`"#)
        }
        for element in list.value.elements where element.kind != .string {
          findings.report(
            element.head, "this app identifier is \(element.kindWords) and not a string",
            help: #"write `"K27TX9P4QD.org.swift.shop"`"#)
        }
      }
      if let single = entry.source.lastMember("appID"), single.value.kind != .string {
        findings.report(
          single.value.head, "appID is \(single.value.kindWords) and not a string",
          help: #"write `"appIDs": [ … ]` for several apps"#)
      }
    }
  }
}
