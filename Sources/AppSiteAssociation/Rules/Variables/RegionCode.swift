internal import Diagnostics

struct RegionCode: ValidationRule {
  static let code = "A131"
  static let severity = Diagnostic.Severity.note
  static let name = "region-code"
  static let documentation = RuleDocumentation(
    what: "`$(region)` stands in a case-sensitive pattern whose other letters are in lower case",
    consequence:
      "region codes are in upper case and the United Kingdom is `GB`: `$(region)` matches neither "
      + "`us` nor `UK`",
    grade: .verified,
    wrong: #"{ "/": "/$(region)/shop" }"#,
    right: #"{ "/": "/$(region)/shop", "caseSensitive": false }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isCaseSensitive {
      guard let part = use.syntax.variable("region"), use.syntax.variable("lang") == nil,
        !use.syntax.parts.contains(where: isUpperCase)
      else { continue }
      findings.report(
        use.range(of: part, in: file.source), "`$(region)` stands for codes in upper case",
        help: #"add `"caseSensitive": false` when URLs have them in lower case"#)
    }
  }

  private static func isUpperCase(_ part: PatternSyntax.Part) -> Bool {
    guard case .literal(let scalar) = part.token else { return false }
    return scalar.properties.isUppercase
  }
}
