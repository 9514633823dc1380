internal import Diagnostics
internal import JSON

struct QueryItemName: ValidationRule {
  static let code = "A109"
  static let severity = Diagnostic.Severity.warning
  static let name = "query-item-name"
  static let documentation = RuleDocumentation(
    what: "the name of a query item contains a wildcard or a separator",
    consequence: "names are compared as they are: no item has this one",
    grade: .undocumented,
    wrong: #"{ "?": { "id=": "*" } }"#,
    right: #"{ "?": { "id": "*" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.ruleObjects {
      guard let query = object.lastMember("?"), query.value.kind == .object else { continue }
      for member in query.value.members {
        let name = member.key
        guard name.contains(where: { "*?=&#".contains($0) }) else { continue }
        findings.report(
          member.keyRange, "no query item has the name `\(name)`",
          help: #"write the name alone as the key: `"?": {"id": "*"}`"#)
      }
    }
  }
}
