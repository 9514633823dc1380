internal import Diagnostics
internal import JSON

struct RulesWrongType: ValidationRule {
  static let code = "A053"
  static let severity = Diagnostic.Severity.warning
  static let name = "rules-wrong-type"
  static let documentation = RuleDocumentation(
    what: "`components` or `paths` is not an array",
    consequence: "a value of another type is as if it were not there",
    grade: .undocumented,
    wrong: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": "/buy/*"
      """#,
    right: #"""
      "appIDs": ["K27TX9P4QD.org.swift.shop"],
      "paths": ["/buy/*"]
      """#,
    in: .entry)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries {
      for (name, example) in [("components", #"[{"/": "/buy/*"}]"#), ("paths", #"["/buy/*"]"#)] {
        guard let list = entry.source.lastMember(name)?.value, list.kind != .array else { continue }
        findings.report(
          list.head, "`\(name)` is \(list.kindWords) and not an array",
          help: "write `\"\(name)\": \(example)`")
      }
    }
  }
}
