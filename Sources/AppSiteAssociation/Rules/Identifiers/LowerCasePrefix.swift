internal import Diagnostics

struct LowerCasePrefix: ValidationRule {
  static let code = "A039"
  static let severity = Diagnostic.Severity.warning
  static let name = "lower-case-prefix"
  static let documentation = RuleDocumentation(
    what: "the prefix of an app identifier contains lower-case letters",
    consequence: "identifiers are case-sensitive and Team IDs are in upper case",
    grade: .observed,
    wrong: #""k27tx9p4qd.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .lowerCasePrefix {
      findings.report(
        use.located.range, "the prefix of `\(use.text)` is not in upper case",
        help: "write it as `\(upperCasePrefix(use.text))`")
    }
  }
}
