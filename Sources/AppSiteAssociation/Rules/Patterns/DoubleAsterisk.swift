internal import Diagnostics

struct DoubleAsterisk: ValidationRule {
  static let code = "A102"
  static let severity = Diagnostic.Severity.note
  static let name = "double-asterisk"
  static let documentation = RuleDocumentation(
    what: "a pattern contains `**`",
    consequence: "one `*` matches slashes too, so two are the same as one",
    grade: .verified,
    wrong: #"{ "/": "/buy/**" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns {
      guard let range = find("**", in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "`**` is the same as `*`", help: "write `*`")
    }
  }
}
