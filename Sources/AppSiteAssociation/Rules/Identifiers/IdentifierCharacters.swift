internal import Diagnostics

struct IdentifierCharacters: ValidationRule {
  static let code = "A042"
  static let severity = Diagnostic.Severity.warning
  static let name = "identifier-characters"
  static let documentation = RuleDocumentation(
    what: "a bundle identifier has characters that none can have",
    consequence:
      "a bundle identifier consists of letters, digits, hyphens and dots, so no app has this one",
    grade: .documented,
    wrong: #""K27TX9P4QD.org.swift_shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .characters {
      findings.report(
        use.located.range, "`\(use.text)` has a character or a gap that no bundle identifier has",
        help: "write letters, digits, hyphens and single dots: `K27TX9P4QD.org.swift.shop`")
    }
  }
}
