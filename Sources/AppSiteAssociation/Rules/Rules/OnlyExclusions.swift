internal import Diagnostics
internal import JSON

struct OnlyExclusions: ValidationRule {
  static let code = "A063"
  static let severity = Diagnostic.Severity.warning
  static let name = "only-exclusions"
  static let documentation = RuleDocumentation(
    what: "every rule of an entry is an exclusion",
    consequence: "a link that no rule matches does not open the app either, so it never opens",
    grade: .verified,
    wrong: #"{ "/": "/login", "exclude": true }"#,
    right: #"""
      { "/": "/login", "exclude": true },
      { "/": "*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where !entry.rules.isEmpty {
      guard entry.rules.allSatisfy(\.isExclusion),
        let list = entry.source.lastMember(entry.ruleForm == .paths ? "paths" : "components")
      else { continue }
      findings.report(
        list.keyRange, "every rule of this entry is an exclusion, so no link opens the app",
        help: entry.ruleForm == .paths
          ? #"add what is to open, for example `"*"`, as the last path"#
          : #"add what is to open, for example `{"/": "*"}`, as the last component"#)
    }
  }
}
