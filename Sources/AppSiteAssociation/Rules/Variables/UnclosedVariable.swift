internal import Diagnostics

struct UnclosedVariable: ValidationRule {
  static let code = "A121"
  static let severity = Diagnostic.Severity.warning
  static let name = "unclosed-variable"
  static let documentation = RuleDocumentation(
    what: "a variable in a pattern is not closed with `)`",
    consequence: "what is meant as a variable is then text that no URL has",
    grade: .undocumented,
    wrong: #"{ "/": "/$(lang/*" }"#,
    right: #"{ "/": "/$(lang)/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns {
      for start in use.syntax.unclosedVariables {
        findings.report(
          use.range(scalars: start..<(start + 2), in: file.source),
          "the variable that begins here is not closed", help: "write `$(name)`")
      }
    }
  }
}
