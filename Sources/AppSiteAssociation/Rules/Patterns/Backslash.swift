internal import Diagnostics

struct Backslash: ValidationRule {
  static let code = "A103"
  static let severity = Diagnostic.Severity.warning
  static let name = "backslash"
  static let documentation = RuleDocumentation(
    what: "a pattern contains a backslash",
    consequence: "patterns have no escapes, and no URL contains a literal backslash",
    grade: .documented,
    wrong: #"{ "/": "/buy/\\*" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isPercentEncoded || use.part == .path {
      guard let start = use.bytes.firstIndex(of: UInt8(ascii: "\\")) else { continue }
      findings.report(
        use.range(start..<(start + 1), in: file.source), "a backslash escapes nothing in a pattern",
        help: "remove it; write `/` between segments, and `?` where a `*` itself stands in the URL")
    }
  }
}
