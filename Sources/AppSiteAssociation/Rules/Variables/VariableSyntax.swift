internal import Diagnostics

struct VariableSyntax: ValidationRule {
  static let code = "A135"
  static let severity = Diagnostic.Severity.warning
  static let name = "variable-syntax"
  static let documentation = RuleDocumentation(
    what: "a pattern uses a variable in the syntax of another language",
    consequence: "only `$(name)` is a variable; this is text that no URL has",
    grade: .undocumented,
    wrong: #"{ "/": "/${lang}/*" }"#,
    right: #"{ "/": "/$(lang)/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns {
      guard let start = find("${", in: use.bytes),
        let end = use.bytes[start.upperBound...].firstIndex(of: UInt8(ascii: "}"))
      else { continue }
      let name = String(decoding: use.bytes[start.upperBound..<end], as: UTF8.self)
      findings.report(
        use.range(start.lowerBound..<(end + 1), in: file.source), "braces enclose no variable",
        help: "write `$(\(name))`")
    }
  }
}
