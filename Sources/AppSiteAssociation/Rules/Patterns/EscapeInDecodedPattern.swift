internal import Diagnostics

struct EscapeInDecodedPattern: ValidationRule {
  static let code = "A095"
  static let severity = Diagnostic.Severity.warning
  static let name = "escape-in-decoded-pattern"
  static let documentation = RuleDocumentation(
    what: "a pattern with `percentEncoded` false contains a percent escape",
    consequence:
      "the URL is decoded before it is compared and the pattern is not, so this never matches",
    grade: .verified,
    wrong: #"{ "/": "/caf%C3%A9/*", "percentEncoded": false }"#,
    right: #"{ "/": "/café/*", "percentEncoded": false }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where !use.isPercentEncoded {
      guard let start = firstEscape(in: use.bytes) else { continue }
      findings.report(
        use.range(start..<(start + 3), in: file.source),
        "with `percentEncoded` false a pattern is written without escapes",
        help: #"write the character itself, or remove `"percentEncoded": false`"#)
    }
  }
  private static func firstEscape(in bytes: [UInt8]) -> Int? {
    bytes.indices.first {
      bytes[$0] == UInt8(ascii: "%") && $0 + 2 < bytes.count && isHexadecimal(bytes[$0 + 1])
        && isHexadecimal(bytes[$0 + 2])
    }
  }
}
