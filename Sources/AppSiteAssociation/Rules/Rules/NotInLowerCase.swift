internal import Diagnostics

struct NotInLowerCase: ValidationRule {
  static let code = "A067"
  static let severity = Diagnostic.Severity.warning
  static let name = "not-in-lower-case"
  static let documentation = RuleDocumentation(
    what: "`not` of a legacy path is not written in capitals",
    consequence: "only `NOT` in capitals excludes: this is a path",
    grade: .undocumented,
    wrong: #"""
      "not /secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isLegacyPath {
      let word = use.text.prefix(4)
      guard word.uppercased() == "NOT ", word != "NOT ",
        !file.source.bytes[use.located.range].dropFirst().starts(with: "NOT ".utf8)
      else { continue }
      findings.report(
        use.range(0..<3, in: file.source), "`\(word.dropLast())` excludes nothing",
        help: "write it in capitals: `NOT \(use.text.dropFirst(4))`")
    }
  }
}
