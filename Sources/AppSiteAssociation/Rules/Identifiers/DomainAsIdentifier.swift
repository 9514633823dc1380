internal import Diagnostics

struct DomainAsIdentifier: ValidationRule {
  static let code = "A046"
  static let severity = Diagnostic.Severity.warning
  static let name = "domain-as-identifier"
  static let documentation = RuleDocumentation(
    what: "an address or an entitlement is in the place of an app identifier",
    consequence: "domains belong into the app, apps into this file",
    grade: .documented,
    wrong: #""applinks:example.com""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers
    where use.fault == .domain
      && !(use.service == "appclips" && use.text.hasPrefix("*."))
    {
      findings.report(
        use.located.range, "`\(use.text)` is an address and not an app identifier",
        help: "write the app, for example `K27TX9P4QD.org.swift.shop`")
    }
  }
}
