internal import Diagnostics

struct HashInFragment: ValidationRule {
  static let code = "A107"
  static let severity = Diagnostic.Severity.warning
  static let name = "hash-in-fragment"
  static let documentation = RuleDocumentation(
    what: "a fragment pattern begins with `#`",
    consequence: "the fragment is what follows `#`, so this never matches",
    grade: .documented,
    wrong: ##"{ "#": "#offers" }"##,
    right: ##"{ "#": "offers" }"##,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .fragment && use.text.hasPrefix("#") {
      findings.report(
        use.range(0..<1, in: file.source), "the fragment begins after the `#`",
        help: "write `\"#\": \"\(use.text.dropFirst())\"`")
    }
  }
}
