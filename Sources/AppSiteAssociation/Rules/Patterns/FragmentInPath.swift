internal import Diagnostics

struct FragmentInPath: ValidationRule {
  static let code = "A090"
  static let severity = Diagnostic.Severity.warning
  static let name = "fragment-in-path"
  static let documentation = RuleDocumentation(
    what: "a path or query pattern contains `#`",
    consequence: "the fragment is never part of path or query, so the pattern never matches",
    grade: .verified,
    wrong: #"{ "/": "/buy#offers" }"#,
    right: ##"{ "/": "/buy", "#": "offers" }"##,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path || use.part == .query {
      guard !holds("://", use.text), let sign = use.bytes.firstIndex(of: UInt8(ascii: "#")) else {
        continue
      }
      findings.report(
        use.range(sign..<use.bytes.count, in: file.source),
        "a \(use.part == .path ? "path" : "query") never contains a fragment",
        help: use.isLegacyPath
          ? ##"`paths` cannot test fragments: write `{"/": "/buy", "#": "offers"}` in `components`"##
          : ##"write the fragment for itself: `"/": "/buy", "#": "offers"`"##)
    }
  }
}
