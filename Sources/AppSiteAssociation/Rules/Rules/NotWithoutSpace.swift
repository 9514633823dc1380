internal import Diagnostics

struct NotWithoutSpace: ValidationRule {
  static let code = "A064"
  static let severity = Diagnostic.Severity.warning
  static let name = "not-without-space"
  static let documentation = RuleDocumentation(
    what: "a legacy path begins with `NOT` without a space",
    consequence:
      "only `NOT` and one space exclude: this is a path that begins with the letters NOT",
    grade: .verified,
    wrong: #"""
      "NOT/secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isLegacyPath && use.text.hasPrefix("NOT/") {
      findings.report(
        use.range(0..<3, in: file.source), "`NOT` without a space excludes nothing",
        help: "write `NOT \(use.text.dropFirst(3))`")
    }
  }
}
