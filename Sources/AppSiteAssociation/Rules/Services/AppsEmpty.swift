internal import Diagnostics
internal import JSON

struct AppsEmpty: ValidationRule {
  static let code = "A142"
  static let severity = Diagnostic.Severity.note
  static let name = "apps-empty"
  static let documentation = RuleDocumentation(
    what: "`apps` of a service is empty",
    consequence: "the service is for no app",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": [] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    if isGeneratedEmptyFile(file.association) { return }
    for (name, list) in file.appLists {
      guard let value = list.source.lastMember("apps")?.value, value.kind == .array,
        value.elements.isEmpty
      else { continue }
      findings.report(
        value.range, "\(name) is for no app", help: "add an app, or leave \(name) out")
    }
  }
}
