internal import Diagnostics

struct OptionalSlash: ValidationRule {
  static let code = "A111"
  static let severity = Diagnostic.Severity.note
  static let name = "optional-slash"
  static let documentation = RuleDocumentation(
    what: "a path pattern ends with `/?`",
    consequence: "`?` stands for exactly one character; a slash at the end does not matter anyway",
    grade: .verified,
    wrong: #"{ "/": "/buy/?" }"#,
    right: #"{ "/": "/buy" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path {
      let count = use.bytes.count
      guard use.text.hasSuffix("/?"), count > 2 else { continue }
      findings.report(
        use.range((count - 1)..<count, in: file.source),
        "this `?` stands for exactly one character",
        help: "write `\(use.text.dropLast(2))`, which matches with and without a slash at the end")
    }
  }
}
