internal import Diagnostics
internal import JSON

struct QueryValueNotString: ValidationRule {
  static let code = "A059"
  static let severity = Diagnostic.Severity.warning
  static let name = "query-value-not-string"
  static let documentation = RuleDocumentation(
    what: "a value in a query object is not a string",
    consequence:
      "one such value makes devices ignore the whole query object, so the rule matches more than "
      + "it says",
    grade: .verified,
    wrong: #"{ "/": "/buy/*", "?": { "id": 12 } }"#,
    right: #"{ "/": "/buy/*", "?": { "id": "12" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.ruleObjects {
      guard let query = object.lastMember("?"), query.value.kind == .object else { continue }
      for member in query.value.members where member.value.kind != .string {
        let text = String(
          decoding: file.source.bytes[member.value.range].prefix(40), as: UTF8.self)
        let isScalar = member.value.kind == .number || member.value.kind == .boolean
        findings.report(
          member.value.head,
          "the value of the query item `\(member.key)` is \(member.value.kindWords) and not a string",
          help: isScalar
            ? "write it in quotes: `\"\(member.key)\": \"\(text)\"`"
            : "write a pattern: `\"\(member.key)\": \"*\"`")
      }
    }
  }
}
