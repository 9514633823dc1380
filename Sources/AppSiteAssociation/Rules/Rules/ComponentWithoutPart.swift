internal import Diagnostics
internal import JSON

struct ComponentWithoutPart: ValidationRule {
  static let code = "A057"
  static let severity = Diagnostic.Severity.note
  static let name = "component-without-part"
  static let documentation = RuleDocumentation(
    what: "a component tests neither path nor query nor fragment",
    consequence: "a part that is not given matches anything, so the rule matches every link",
    grade: .verified,
    wrong: #"{ "comment": "buy" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries {
      for rule in entry.rules where rule.source.kind == .object {
        let parts = ["/", "?", "#"]
        guard rule.effective.path == nil, rule.effective.query == nil,
          rule.effective.fragment == nil,
          !parts.contains(where: { rule.source.member($0) != nil })
        else { continue }
        findings.report(
          rule.source.head,
          "this component \(rule.isExclusion ? "blocks" : "opens the app for") every link",
          help: #"say which links are meant: `{"/": "/buy/*"}`, or `{"/": "*"}` for all of them"#)
      }
    }
  }
}
