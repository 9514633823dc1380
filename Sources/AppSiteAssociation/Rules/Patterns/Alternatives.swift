internal import Diagnostics

struct Alternatives: ValidationRule {
  static let code = "A105"
  static let severity = Diagnostic.Severity.warning
  static let name = "alternatives"
  static let documentation = RuleDocumentation(
    what: "a pattern contains alternatives with `|`",
    consequence: "there are no alternatives in patterns, and no URL contains `|` as it is",
    grade: .documented,
    wrong: #"{ "/": "/(buy|sell)/*" }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isPercentEncoded || find("(", in: use.bytes) != nil {
      guard let start = use.bytes.firstIndex(of: UInt8(ascii: "|")) else { continue }
      findings.report(
        use.range(start..<(start + 1), in: file.source), "`|` separates nothing in a pattern",
        help: "write one rule for each, or a variable in substitutionVariables")
    }
  }
}
