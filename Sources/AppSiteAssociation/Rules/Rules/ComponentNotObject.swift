internal import Diagnostics
internal import JSON

struct ComponentNotObject: ValidationRule {
  static let code = "A054"
  static let severity = Diagnostic.Severity.warning
  static let name = "component-not-object"
  static let documentation = RuleDocumentation(
    what: "an element of `components` is not an object",
    consequence: "devices may ignore it, or take it for a rule that matches every link",
    grade: .undocumented,
    wrong: #""/buy/*""#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.ruleForm == .components {
      guard let list = entry.source.lastMember("components")?.value else { continue }
      for element in list.elements where element.kind != .object {
        findings.report(
          element.head, "this component is \(element.kindWords) and not an object",
          help: #"write `{"/": "/buy/*"}`; strings belong into `paths`"#)
      }
    }
  }
}
