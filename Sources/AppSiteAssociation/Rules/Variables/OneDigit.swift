internal import Diagnostics

struct OneDigit: ValidationRule {
  static let code = "A130"
  static let severity = Diagnostic.Severity.note
  static let name = "one-digit"
  static let documentation = RuleDocumentation(
    what: "`$(digit)` is a whole segment of a path",
    consequence: "the predefined classes stand for exactly one character",
    grade: .verified,
    wrong: #"{ "/": "/buy/$(digit)" }"#,
    right: #"{ "/": "/buy/$(digit)*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path && use.syntax.variable("digit") != nil {
      let parts = use.syntax.parts
      for (index, part) in parts.enumerated() where part.token == .variable("digit") {
        let before = index > 0 ? parts[index - 1].token : .literal("/")
        let after = index + 1 < parts.count ? parts[index + 1].token : .literal("/")
        guard before == .literal("/"), after == .literal("/") else { continue }
        findings.report(
          use.range(of: part, in: file.source), "`$(digit)` stands for exactly one digit",
          help: "write `$(digit)$(digit)` for two digits, `$(digit)*` for one and anything after it"
        )
      }
    }
  }
}
