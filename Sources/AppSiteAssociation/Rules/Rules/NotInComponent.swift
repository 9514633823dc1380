internal import Diagnostics

struct NotInComponent: ValidationRule {
  static let code = "A068"
  static let severity = Diagnostic.Severity.warning
  static let name = "not-in-component"
  static let documentation = RuleDocumentation(
    what: "a pattern of a component begins with `NOT`",
    consequence: "`NOT` excludes only in `paths`; in a component it is part of the pattern",
    grade: .undocumented,
    wrong: #"{ "/": "NOT /secret" }"#,
    right: #"""
      { "/": "/secret", "exclude": true },
      { "/": "*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path && !use.isLegacyPath {
      guard use.text.hasPrefix("NOT ") || use.text.hasPrefix("NOT/") else { continue }
      findings.report(
        use.range(0..<3, in: file.source), "`NOT` excludes nothing in a component",
        help: "write `\"/\": \"\(use.text.dropFirst(3).drop { $0 == " " })\", \"exclude\": true`")
    }
  }
}
