internal import Diagnostics

struct SampleBundle: ValidationRule {
  static let code = "A034"
  static let severity = Diagnostic.Severity.note
  static let name = "sample-bundle"
  static let documentation = RuleDocumentation(
    what: "a bundle identifier begins as in a template",
    consequence: "templates have such identifiers, and few apps keep them",
    grade: .observed,
    wrong: #""K27TX9P4QD.com.example.shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.identifiers where use.fault == .sampleBundle {
      findings.report(
        use.located.range, "`\(use.text)` has the bundle identifier of a template",
        help: "write the bundle identifier that the app has in Xcode")
    }
  }
}
