internal import Diagnostics

struct IncompleteIdentifier: ValidationRule {
  static let code = "A036"
  static let severity = Diagnostic.Severity.warning
  static let name = "incomplete-identifier"
  static let documentation = RuleDocumentation(
    what: "an app identifier has no prefix or no bundle identifier",
    consequence: "an app identifier is a prefix, a dot and a bundle identifier; no app has another",
    grade: .documented,
    wrong: #""K27TX9P4QD""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .incomplete {
      findings.report(
        use.located.range, "`\(use.text)` is not a prefix, a dot and a bundle identifier",
        help: "write for example `K27TX9P4QD.org.swift.shop`")
    }
  }
}
