internal import Diagnostics
internal import JSON

struct AppsNotEmpty: ValidationRule {
  static let code = "A024"
  static let severity = Diagnostic.Severity.warning
  static let name = "apps-not-empty"
  static let documentation = RuleDocumentation(
    what: "`applinks.apps` names apps or is not an array",
    consequence:
      "apps are named in `details`; while Apple still wanted `apps`, it had to be an empty array. "
      + "Without `details` the apps may open every link, or none: Apple does not say",
    grade: .documented,
    wrong: #"""
      "apps": ["K27TX9P4QD.org.swift.shop"],
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: #"""
      "apps": [],
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    guard let apps = file.association.applinks?.apps else { return }
    if apps.value.kind == .array, apps.value.elements.isEmpty { return }
    findings.report(
      apps.value.kind == .array ? apps.keyRange : apps.value.head,
      "`apps` in applinks is not an empty array",
      help: #"write `"apps": []` or leave it out, and name apps in details"#)
  }
}
