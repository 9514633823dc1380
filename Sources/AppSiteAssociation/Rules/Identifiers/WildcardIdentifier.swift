internal import Diagnostics

struct WildcardIdentifier: ValidationRule {
  static let code = "A040"
  static let severity = Diagnostic.Severity.warning
  static let name = "wildcard-identifier"
  static let documentation = RuleDocumentation(
    what: "an app identifier contains `*`",
    consequence: "there are no wildcards in app identifiers: each app is named",
    grade: .documented,
    wrong: #""K27TX9P4QD.org.swift.*""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .wildcard {
      findings.report(
        use.located.range, "`*` is not a wildcard in an app identifier",
        help: "name each app, for example `K27TX9P4QD.org.swift.shop`")
    }
  }
}
