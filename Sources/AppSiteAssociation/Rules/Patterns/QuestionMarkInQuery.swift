internal import Diagnostics

struct QuestionMarkInQuery: ValidationRule {
  static let code = "A108"
  static let severity = Diagnostic.Severity.warning
  static let name = "question-mark-in-query"
  static let documentation = RuleDocumentation(
    what: "a query pattern begins with `?` and a name",
    consequence:
      "the query is what follows the question mark, and in a pattern `?` stands for one character",
    grade: .documented,
    wrong: #"{ "?": "?id=*" }"#,
    right: #"{ "?": { "id": "?*" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .query && use.bytes.count > 1 {
      guard use.bytes[0] == UInt8(ascii: "?"), isASCIILetter(use.bytes[1]) else { continue }
      findings.report(
        use.range(0..<1, in: file.source), "the query begins after the `?`",
        help: #"write `"?": {"id": "?*"}`"#)
    }
  }
}
