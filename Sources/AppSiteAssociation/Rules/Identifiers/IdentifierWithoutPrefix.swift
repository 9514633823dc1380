internal import Diagnostics

struct IdentifierWithoutPrefix: ValidationRule {
  static let code = "A037"
  static let severity = Diagnostic.Severity.warning
  static let name = "identifier-without-prefix"
  static let documentation = RuleDocumentation(
    what: "an app identifier is a bundle identifier without a prefix",
    consequence:
      "an app identifier begins with the prefix, usually the Team ID; without it no app is meant",
    grade: .documented,
    wrong: #""org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .withoutPrefix {
      findings.report(
        use.located.range, "`\(use.text)` is a bundle identifier without its prefix",
        help: "write the Team ID and a dot before it: `K27TX9P4QD.\(use.text)`")
    }
  }
}
