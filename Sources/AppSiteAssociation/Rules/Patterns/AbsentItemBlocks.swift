internal import Diagnostics

struct AbsentItemBlocks: ValidationRule {
  static let code = "A112"
  static let severity = Diagnostic.Severity.warning
  static let name = "absent-item-blocks"
  static let documentation = RuleDocumentation(
    what: "an exclusion asks for a query item, a query or a fragment with `*`",
    consequence:
      "what a URL does not have counts as empty, which `*` accepts: URLs without it are blocked too",
    grade: .verified,
    wrong: #"""
      { "/": "/buy/*", "?": { "web": "*" }, "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/*", "?": { "web": "?*" }, "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.acceptsAbsence && use.isExclusion {
      findings.report(
        use.located.range, "this also blocks URLs without \(use.absentThing): `*` accepts that",
        help: "write `?*` to block only URLs that have it")
    }
  }
}
