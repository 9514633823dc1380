internal import Diagnostics

struct PlaceholderIdentifier: ValidationRule {
  static let code = "A032"
  static let severity = Diagnostic.Severity.warning
  static let name = "placeholder-identifier"
  static let documentation = RuleDocumentation(
    what: "an app identifier contains a placeholder",
    consequence: "no app has this identifier, so nothing opens",
    grade: .observed,
    wrong: #""YOUR_TEAM_ID.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .placeholder {
      findings.report(
        use.located.range, "`\(use.text)` still contains a placeholder",
        help: "write the Team ID of the developer account and the bundle identifier: "
          + "`K27TX9P4QD.org.swift.shop`")
    }
  }
}
