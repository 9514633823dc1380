internal import Diagnostics

struct CharacterNotInURLs: ValidationRule {
  static let code = "A094"
  static let severity = Diagnostic.Severity.warning
  static let name = "character-not-in-urls"
  static let documentation = RuleDocumentation(
    what: "a pattern contains a space or another character that URLs have only percent-encoded",
    consequence:
      "with `percentEncoded` true, the default, a pattern is compared with the URL as it is "
      + "written, so this never matches",
    grade: .verified,
    wrong: #"{ "/": "/café/*" }"#,
    right: #"{ "/": "/café/*", "percentEncoded": false }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isPercentEncoded {
      guard let part = use.syntax.parts.first(where: isForeign),
        case .literal(let scalar) = part.token, !isMeantAsExclusion(use.text)
      else { continue }
      let written = scalar == " " ? "a space" : "`\(scalar)`"
      findings.report(
        use.range(of: part, in: file.source), "no URL contains \(written) as it is",
        help: use.isLegacyPath
          ? "write it as \(encoded(scalar))"
          : #"write it as \#(encoded(scalar)), or add `"percentEncoded": false`"#)
    }
  }
  private static func isForeign(_ part: PatternSyntax.Part) -> Bool {
    guard case .literal(let scalar) = part.token else { return false }
    switch scalar {
    case "\0"..." ", "\"", "<", ">", "`", "\u{7F}"..."\u{10FFFF}": return true
    default: return false
    }
  }

  /// `%C3%A9` for é.
  private static func encoded(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf8.reduce("") {
      $0 + ($1 < 16 ? "%0" : "%") + String($1, radix: 16, uppercase: true)
    }
  }
}
