internal import Diagnostics
internal import JSON

struct FlagWrongType: ValidationRule {
  static let code = "A060"
  static let severity = Diagnostic.Severity.warning
  static let name = "flag-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`exclude`, `caseSensitive` or `percentEncoded` is not `true` or `false`",
    consequence: "devices may take the value for true, or as if it were not there",
    grade: .undocumented,
    wrong: #"""
      { "/": "/buy/secret", "exclude": "true" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.ruleObjects {
      for key in ["exclude", "caseSensitive", "percentEncoded"] {
        guard let value = object.lastMember(key)?.value, value.kind != .boolean else { continue }
        let isFalse = value.stringEquals("false") || value.number == 0
        findings.report(
          value.head, "the value of `\(key)` is \(value.kindWords)",
          help: "write `\"\(key)\": \(isFalse ? "false" : "true")`")
      }
    }
  }
}
