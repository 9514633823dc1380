internal import Diagnostics

struct UndocumentedEnd: ValidationRule {
  static let code = "A114"
  static let severity = Diagnostic.Severity.note
  static let name = "undocumented-end"
  static let documentation = RuleDocumentation(
    what: "a path pattern ends in a way of which Apple does not say what it matches",
    consequence: "it may or may not match the path without what its end stands for",
    grade: .undocumented,
    wrong: #"{ "/": "/buy/*/" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path {
      let count = use.bytes.count
      if use.text.hasSuffix("/*/"), count > 3 {
        findings.report(
          use.range((count - 2)..<count, in: file.source),
          "Apple does not say whether this also matches `\(use.text.dropLast(3))`",
          help: "write `\(use.text.dropLast(1))`, which does, "
            + "or `\(use.text.dropLast(2))?*`, which does not")
      } else if use.text.hasSuffix("?*"), count > 2, !"/?*)".utf8.contains(use.bytes[count - 3]) {
        findings.report(
          use.range((count - 2)..<count, in: file.source),
          "a path never contains a query, and `?` stands for one character",
          help: "write `\(use.text.dropLast(2))`, which matches with every query, or "
            + "`\(use.text.dropLast(2))*` for what begins so")
      }
    }
  }
}
