internal import Diagnostics

struct SpacesInIdentifier: ValidationRule {
  static let code = "A035"
  static let severity = Diagnostic.Severity.warning
  static let name = "spaces-in-identifier"
  static let documentation = RuleDocumentation(
    what: "an app identifier contains white space",
    consequence: "identifiers are compared as they are, so no app has this one",
    grade: .observed,
    wrong: #"" K27TX9P4QD.org.swift.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .spaces {
      findings.report(
        use.located.range, "this app identifier contains white space",
        help: "remove it: `\(use.text.filter { !$0.isWhitespace })`")
    }
  }
}
