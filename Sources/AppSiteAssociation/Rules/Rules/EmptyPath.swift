internal import Diagnostics

struct EmptyPath: ValidationRule {
  static let code = "A070"
  static let severity = Diagnostic.Severity.note
  static let name = "empty-path"
  static let documentation = RuleDocumentation(
    what: "a path pattern is empty",
    consequence: "an empty path is the same as `/`: only the start page matches",
    grade: .verified,
    wrong: #"{ "/": "" }"#,
    right: #"{ "/": "/" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path && use.bytes.isEmpty {
      findings.report(
        use.located.range, "an empty path matches only the start page",
        help: "write `/` for the start page, `*` for every path")
    }
  }
}
