internal import Diagnostics
internal import JSON

struct PartWrongType: ValidationRule {
  static let code = "A058"
  static let severity = Diagnostic.Severity.warning
  static let name = "part-wrong-type"
  static let documentation = RuleDocumentation(
    what: "a part of a component has a value of the wrong type",
    consequence: "devices ignore such a part, so the rule matches more than it says",
    grade: .undocumented,
    wrong: #"{ "/": ["/buy/*", "/sell/*"] }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for object in file.ruleObjects {
      for key in ["/", "#", "?"] {
        guard let member = object.lastMember(key), member.value.kind != .string,
          key != "?" || member.value.kind != .object
        else { continue }
        findings.report(
          member.value.head, "the value of `\(key)` is \(member.value.kindWords) and not a string",
          help: member.value.kind == .array
            ? "write one component for each pattern" : "write a pattern: `\"\(key)\": \"*\"`")
      }
    }
  }
}
