internal import Diagnostics

struct SampleIdentifier: ValidationRule {
  static let code = "A033"
  static let severity = Diagnostic.Severity.note
  static let name = "sample-identifier"
  static let documentation = RuleDocumentation(
    what: "an app identifier has a prefix out of Apple's documentation",
    consequence: "the prefix belongs to no account of yours, so no app opens",
    grade: .observed,
    wrong: #""ABCDE12345.com.example.app""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .samplePrefix {
      findings.report(
        use.located.range, "`\(use.text)` has the prefix of a documented example",
        help: "write your own Team ID and bundle identifier")
    }
  }
}
