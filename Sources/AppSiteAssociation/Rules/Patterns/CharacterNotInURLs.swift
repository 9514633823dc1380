internal import Bytes
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
        case .literal(let scalar) = part.token, !isMeantAsExclusion(use)
      else { continue }
      let written = scalar == " " ? "a space" : "`\(scalar)`"
      findings.report(
        use.range(of: part, in: file.source), "no URL contains \(written) as it is",
        help: isAtEnd(part, of: use)
          ? "remove it"
          : use.isLegacyPath
            ? "write it as \(encoded(scalar))"
            : #"write it as \#(encoded(scalar)), or add `"percentEncoded": false`"#)
    }
  }
  /// Whether it is white space before or after the pattern, typed by mistake.
  private static func isAtEnd(_ part: PatternSyntax.Part, of use: PatternUse) -> Bool {
    guard case .literal(let scalar) = part.token, scalar.properties.isWhitespace else {
      return false
    }
    let rest = use.text.unicodeScalars.dropFirst(part.range.lowerBound)
    return part.range.lowerBound == 0 || rest.allSatisfy(\.properties.isWhitespace)
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
    String(scalar).utf8.map(\.percentEncoded).joined()
  }
}
