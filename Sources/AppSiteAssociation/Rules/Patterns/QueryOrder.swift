internal import Diagnostics

struct QueryOrder: ValidationRule {
  static let code = "A110"
  static let severity = Diagnostic.Severity.note
  static let name = "query-order"
  static let documentation = RuleDocumentation(
    what: "a query pattern for the whole text names several items",
    consequence:
      "written as text the items must stand in this order and nothing else may stand between",
    grade: .verified,
    wrong: #"{ "?": "id=*&color=*" }"#,
    right: #"{ "?": { "id": "*", "color": "*" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .query {
      let items = use.bytes.split(separator: UInt8(ascii: "&"))
      guard items.count(where: { $0.contains(UInt8(ascii: "=")) }) > 1 else { continue }
      findings.report(
        use.located.range, "this matches the items in this order only",
        help: #"write an object when the order does not matter: `"?": {"id": "*", "color": "*"}`"#)
    }
  }
}
