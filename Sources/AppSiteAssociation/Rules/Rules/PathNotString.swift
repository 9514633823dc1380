internal import Diagnostics
internal import JSON

struct PathNotString: ValidationRule {
  static let code = "A055"
  static let severity = Diagnostic.Severity.warning
  static let name = "path-not-string"
  static let documentation = RuleDocumentation(
    what: "an element of `paths` is not a string",
    consequence: "devices may ignore it, or take it for a rule that matches every link",
    grade: .undocumented,
    wrong: #"{ "/": "/buy/*" }"#,
    right: #""/buy/*""#,
    in: .paths)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for entry in file.entries where entry.ruleForm == .paths {
      guard let list = entry.source.lastMember("paths")?.value else { continue }
      for element in list.elements where element.kind != .string {
        findings.report(
          element.head, "this path is \(element.kindWords) and not a string",
          help: #"write `"/buy/*"`; objects belong into `components`"#)
      }
    }
  }
}
