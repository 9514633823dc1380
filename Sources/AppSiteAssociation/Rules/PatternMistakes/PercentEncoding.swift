internal import Bytes
internal import Diagnostics
internal import Rules

let percentEncodingRules: [AssociationRule] = [
  AssociationRule(
    "A094", .warning, "character-not-in-urls", .verified, in: .components, each: \.patterns,
    "a pattern contains a space or another character that URLs contain only percent-encoded",
    "with `percentEncoded` true, the default, a pattern is compared with the undecoded URL, "
      + "so the pattern never matches",
    wrong: #"{ "/": "/café/*" }"#, right: #"{ "/": "/café/*", "percentEncoded": false }"#
  ) { use, _, findings in
    guard use.isPercentEncoded, let part = use.syntax.parts.first(where: isForeign),
      case .literal(let scalar) = part.token, !isMeantAsExclusion(use),
      use.part != .path || parameterRange(in: use.bytes) == nil
    else { return }
    let written = scalar == " " ? "a space" : "`\(scalar)`"
    findings.report(
      use.range(of: part), "no URL contains \(written) unencoded",
      help: isAtEnd(part, of: use)
        ? "remove it"
        : use.isLegacyPath
          ? "write the character as \(scalar.percentEncoded)"
          : #"write the character as \#(scalar.percentEncoded), or add `"percentEncoded": false`"#)
  },
  AssociationRule(
    "A095", .warning, "escape-in-decoded-pattern", .verified, in: .components, each: \.patterns,
    "a pattern with `percentEncoded` false contains a percent escape",
    "before the comparison the URL is decoded but the pattern is not, so the pattern never matches",
    wrong: #"{ "/": "/caf%C3%A9/*", "percentEncoded": false }"#,
    right: #"{ "/": "/café/*", "percentEncoded": false }"#
  ) { use, _, findings in
    guard !use.isPercentEncoded, let start = firstEscape(in: use.bytes) else { return }
    findings.report(
      use.range(start..<(start + 3)),
      "the pattern contains a percent escape, but `percentEncoded` is false",
      help: #"write the character itself, or remove `"percentEncoded": false`"#)
  },
  AssociationRule(
    "A096", .warning, "lower-case-escape", .verified, in: .components, each: \.patterns,
    "a percent escape is written with lower-case letters",
    "hexadecimal digits are case-sensitive, and browsers write them in upper case",
    wrong: #"{ "/": "/caf%c3%a9/*" }"#, right: #"{ "/": "/caf%C3%A9/*" }"#
  ) { use, _, findings in
    guard use.isPercentEncoded && use.isCaseSensitive, let start = firstLowerCase(in: use.bytes)
    else { return }
    let range = start..<(start + 3)
    let text = String(decoding: use.bytes[range], as: UTF8.self)
    findings.report(
      use.range(range), "the escape `\(text)` is in lower case",
      help: "write `\(text.uppercased())`")
  },
  AssociationRule(
    "A097", .warning, "stray-percent-sign", .undocumented, in: .components, each: \.patterns,
    "a percent sign is not followed by two hexadecimal digits",
    "in a URL a percent sign is written `%25`, so the pattern never matches",
    wrong: #"{ "/": "/100%/*" }"#, right: #"{ "/": "/100%25/*" }"#
  ) { use, _, findings in
    guard use.isPercentEncoded, let start = firstStray(in: use.bytes) else { return }
    findings.report(
      use.range(start..<(start + 1)),
      "this percent sign is not followed by two hexadecimal digits",
      help: "write `%25` for a percent sign")
  },
]

/// Whether a token is white space at the beginning or end of the pattern. White space at these
/// positions is probably a mistake.
private func isAtEnd(_ part: PatternSyntax.Part, of use: PatternUse) -> Bool {
  guard case .literal(let scalar) = part.token, scalar.properties.isWhitespace else {
    return false
  }
  let rest = use.text.unicodeScalars.dropFirst(part.range.lowerBound)
  return part.range.lowerBound == 0 || rest.allSatisfy(\.properties.isWhitespace)
}

private func isForeign(_ part: PatternSyntax.Part) -> Bool {
  guard case .literal(let scalar) = part.token else { return false }
  switch scalar {
  case "\0"..." ", "\"", "<", ">", "`", "\u{7F}"..."\u{10FFFF}": return true
  default: return false
  }
}

private func firstEscape(in bytes: [UInt8]) -> Int? {
  bytes.indices.first { beginsEscape(bytes, $0, bytes.count) }
}

private func firstLowerCase(in bytes: [UInt8]) -> Int? {
  bytes.indices.first {
    beginsEscape(bytes, $0, bytes.count)
      && bytes[$0 + 1...$0 + 2].contains { $0 >= UInt8(ascii: "a") }
  }
}

/// Finds the first `%` that does not begin an escape. Wildcards and variables may stand for the
/// digits.
private func firstStray(in bytes: [UInt8]) -> Int? {
  bytes.indices.first { index in
    guard bytes[index] == UInt8(ascii: "%") else { return false }
    for next in bytes[(index + 1)...].prefix(2) {
      if "*$".utf8.contains(next) { return false }
      if next.hexValue == nil && next != UInt8(ascii: "?") { return true }
    }
    return index + 2 >= bytes.count
  }
}
