internal import Diagnostics

struct AbsentItemOpens: ValidationRule {
  static let code = "A113"
  static let severity = Diagnostic.Severity.note
  static let name = "absent-item-opens"
  static let documentation = RuleDocumentation(
    what: "a rule asks for a query item, a query or a fragment with `*`",
    consequence:
      "what a URL does not have counts as empty, which `*` accepts: URLs without it open the app too",
    grade: .verified,
    wrong: #"{ "/": "/search", "?": { "q": "*" } }"#,
    right: #"{ "/": "/search", "?": { "q": "?*" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.acceptsAbsence && !use.isExclusion {
      findings.report(
        use.located.range, "this also accepts URLs without \(use.absentThing)",
        help: "write `?*` to require it, or leave it out")
    }
  }
}
