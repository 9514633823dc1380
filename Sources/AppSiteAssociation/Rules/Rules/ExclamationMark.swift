internal import Diagnostics

struct ExclamationMark: ValidationRule {
  static let code = "A065"
  static let severity = Diagnostic.Severity.warning
  static let name = "exclamation-mark"
  static let documentation = RuleDocumentation(
    what: "a pattern begins with an exclamation mark",
    consequence: "an exclamation mark excludes nothing: it is a character of the path",
    grade: .undocumented,
    wrong: #"""
      "!/secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path && use.text.hasPrefix("!") {
      findings.report(
        use.range(0..<1, in: file.source), "`!` excludes nothing",
        help: use.isLegacyPath
          ? "write `NOT \(use.text.dropFirst())`"
          : "write `\"/\": \"\(use.text.dropFirst())\", \"exclude\": true`")
    }
  }
}
