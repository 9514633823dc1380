internal import Diagnostics
internal import JSON

struct AppNotString: ValidationRule {
  static let code = "A147"
  static let severity = Diagnostic.Severity.warning
  static let name = "app-not-string"
  static let documentation = RuleDocumentation(
    what: "an element of `apps` is not a string",
    consequence: "devices expect app identifiers",
    grade: .documented,
    wrong: #"{ "webcredentials": { "apps": [{ "appID": "K27TX9P4QD.org.swift.shop" }] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for (_, list) in file.appLists {
      for element in list.source.lastMember("apps")?.value.elements.map(\.self) ?? []
      where element.kind != .string {
        findings.report(
          element.head, "this app is \(element.kindWords) and not a string",
          help: #"write `"K27TX9P4QD.org.swift.shop"`"#)
      }
    }
  }
}
