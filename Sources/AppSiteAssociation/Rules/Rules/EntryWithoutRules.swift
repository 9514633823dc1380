internal import Diagnostics
internal import JSON

struct EntryWithoutRules: ValidationRule {
  static let code = "A050"
  static let severity = Diagnostic.Severity.warning
  static let name = "entry-without-rules"
  static let documentation = RuleDocumentation(
    what: "an entry of `details` has neither `components` nor `paths`",
    consequence: "the app may open every link, or none",
    grade: .undocumented,
    wrong: #""appIDs": ["K27TX9P4QD.org.swift.shop"]"#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "components": [{ "/": "/buy/*" }]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.ruleForm == .none {
      if entry.source.lastMember("components") != nil || entry.source.lastMember("paths") != nil {
        continue
      }
      findings.report(
        entry.source.head, "this entry has neither `components` nor `paths`",
        help: #"write `"components": [{"/": "/buy/*"}]`, or `[{}]` for every link"#)
    }
  }
}
