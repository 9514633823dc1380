internal import Diagnostics

struct OnlyStartPage: ValidationRule {
  static let code = "A071"
  static let severity = Diagnostic.Severity.note
  static let name = "only-start-page"
  static let documentation = RuleDocumentation(
    what: "the only rule that opens an app is for the path `/`",
    consequence: "a pattern covers the whole path, so only the start page opens the app",
    grade: .verified,
    wrong: #""/""#,
    right: #""/*""#,
    in: .paths)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries {
      let opening = entry.rules.filter { !$0.isExclusion }
      guard opening.count == 1, let path = opening.first?.written.path, path.value == "/" else {
        continue
      }
      findings.report(
        path.range, "only the start page opens the app", help: "write `/*` when all paths are meant"
      )
    }
  }
}
