internal import Bytes
internal import Diagnostics
internal import Rules

let otherSyntaxRules: [AssociationRule] = [
  AssociationRule(
    "A098", .warning, "regular-expression", .documented, in: .components, each: \.patterns,
    "a pattern contains `.*` or `.+`, which are regular expressions",
    "patterns are not regular expressions: the dot is literal",
    wrong: #"{ "/": "/buy/.*" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard let range = expressionRange(in: use.bytes) else { return }
    findings.report(
      use.range(range), "patterns are not regular expressions",
      help: meantPattern(use.bytes).map { "write `\($0)`" }
        ?? "write `*` for any characters, `?*` for at least one")
  },
  AssociationRule(
    "A099", .warning, "anchor", .documented, in: .components, each: \.patterns,
    "a pattern begins with `^` or ends with `$`",
    "a pattern is always compared with a whole part of the URL; `^` and `$` are ordinary "
      + "characters",
    wrong: #"{ "/": "^/buy/*$" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard use.bytes.count > 1 else { return }
    let first = use.bytes[0] == UInt8(ascii: "^")
    let last = use.bytes[use.bytes.count - 1] == UInt8(ascii: "$")
    guard first || last else { return }
    let place = first ? 0 : use.bytes.count - 1
    findings.report(
      use.range(place..<(place + 1)),
      "`\(first ? "^" : "$")` is not an anchor: a pattern is always compared with a "
        + "whole part of the URL",
      help: meantPattern(use.bytes).map { "write `\($0)`" }
        ?? "write a pattern without this character: `*` stands for any characters, `?` for one")
  },
  AssociationRule(
    "A100", .warning, "router-parameter", .documented, in: .components, each: \.patterns,
    "a segment of a path pattern is a parameter of a web router, such as `:id` or `[id]`",
    "the parameter is literal text and matches no value",
    wrong: #"{ "/": "/buy/:id" }"#, right: #"{ "/": "/buy/?*" }"#
  ) { use, _, findings in
    guard use.part == .path && !use.text.contains("://"), let range = parameterRange(in: use.bytes)
    else { return }
    let text = String(decoding: use.bytes[range], as: UTF8.self)
    findings.report(
      use.range(range), "`\(text)` matches only itself, not a value",
      help: "write `?*`, which matches one or more characters: `/buy/?*`")
  },
  AssociationRule(
    "A101", .warning, "braces", .documented, in: .components, each: \.patterns,
    "a pattern contains braces in the syntax of a shell or web router",
    "patterns have no alternatives or parameters in braces: braces are literal",
    wrong: #"{ "/": "/{buy,sell}/*" }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#
  ) { use, _, findings in
    guard use.part != .fragment, let start = use.bytes.firstIndex(of: UInt8(ascii: "{")),
      start == 0 || use.bytes[start - 1] != UInt8(ascii: "$"),
      let end = use.bytes[start...].firstIndex(of: UInt8(ascii: "}"))
    else { return }
    let isList = use.bytes[start...end].contains(UInt8(ascii: ","))
    findings.report(
      use.range(start..<(end + 1)), "braces have no meaning in patterns",
      help: isList
        ? "write one rule for each alternative, or a variable in substitutionVariables"
        : "write `?*`, which matches one or more characters")
  },
  AssociationRule(
    "A102", .note, "double-asterisk", .documented, in: .components, each: \.patterns,
    "a pattern contains `**`",
    "one `*` matches zero or more characters, so `**` means the same as `*`",
    wrong: #"{ "/": "/buy/**" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard let range = use.bytes.firstRange(of: "**") else { return }
    findings.report(use.range(range), "`**` is the same as `*`", help: "write `*`")
  },
  AssociationRule(
    "A103", .warning, "backslash", .undocumented, in: .components, each: \.patterns,
    "a pattern contains a backslash",
    "Apple documents no escapes, and URLs contain backslashes only percent-encoded (RFC 3986)",
    wrong: #"{ "/": "/buy/\\*" }"#, right: #"{ "/": "/buy/*" }"#
  ) { use, _, findings in
    guard use.isPercentEncoded || use.part == .path,
      let start = use.bytes.firstIndex(of: UInt8(ascii: "\\"))
    else { return }
    findings.report(
      use.range(start..<(start + 1)), "a backslash escapes nothing in a pattern",
      help: "remove the backslash; write `/` between segments, and `?` to match a `*` in the URL")
  },
  AssociationRule(
    "A104", .warning, "character-class", .documented, in: .components, each: \.patterns,
    "a pattern contains a character class such as `[0-9]`",
    "patterns have no character classes: the brackets are literal",
    wrong: #"{ "/": "/buy/[0-9]" }"#, right: #"{ "/": "/buy/$(digit)" }"#
  ) { use, _, findings in
    guard let range = classRange(in: use.bytes) else { return }
    findings.report(
      use.range(range), "brackets are not a character class in a pattern",
      help: isRegularExpression(use.bytes)
        ? meantPattern(use.bytes).map { "write `\($0)`" }
          ?? "write `*` for any characters, `?` for one"
        : "write `$(digit)`, `$(alpha)`, `$(alnum)` or `?` for one character, `*` for several")
  },
  AssociationRule(
    "A105", .warning, "alternatives", .documented, in: .components, each: \.patterns,
    "a pattern contains alternatives with `|`",
    "patterns have no alternatives, and URLs contain `|` only percent-encoded",
    wrong: #"{ "/": "/(buy|sell)/*" }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#
  ) { use, _, findings in
    guard use.isPercentEncoded || use.bytes.firstRange(of: "(") != nil,
      let start = use.bytes.firstIndex(of: UInt8(ascii: "|"))
    else { return }
    findings.report(
      use.range(start..<(start + 1)), "`|` separates nothing in a pattern",
      help: "write one rule for each alternative, or a variable in substitutionVariables")
  },
]

/// Returns the range of `.*` or `.+`, unless the dot may begin a file extension.
private func expressionRange(in bytes: [UInt8]) -> Range<Int>? {
  for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: ".") {
    let next = bytes[index + 1]
    let isAlone = index == 0 || "/(^=".utf8.contains(bytes[index - 1])
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "*") && isAlone {
      return index..<(index + 2)
    }
  }
  return nil
}

/// Returns the range of a segment such as `:id`, `[id]` or `<id>`.
func parameterRange(in bytes: [UInt8]) -> Range<Int>? {
  let hasClass = classRange(in: bytes) != nil
  var start = 0
  while start < bytes.count {
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    let segment = bytes[start..<end]
    switch (segment.first, segment.last) {
    case (UInt8(ascii: ":"), _):
      if segment.dropFirst().first?.isLetter == true { return start..<end }
    case (UInt8(ascii: "["), UInt8(ascii: "]")), (UInt8(ascii: "<"), UInt8(ascii: ">")):
      if segment.count > 2, !hasClass { return start..<end }
    default: break
    }
    start = end + 1
  }
  return nil
}

/// Returns the range of a character class such as `[a-z]` or `[^/]`.
private func classRange(in bytes: [UInt8]) -> Range<Int>? {
  guard let start = bytes.firstIndex(of: UInt8(ascii: "[")),
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "]"))
  else { return nil }
  let content = bytes[(start + 1)..<end]
  let hasRange = content.dropFirst().dropLast().contains(UInt8(ascii: "-"))
  return hasRange || content.first == UInt8(ascii: "^") ? start..<(end + 1) : nil
}

/// Whether a pattern looks like a regular expression: it begins with `^`, ends with `$`, or has a
/// quantifier after a bracket.
private func isRegularExpression(_ bytes: [UInt8]) -> Bool {
  bytes.first == UInt8(ascii: "^") || bytes.last == UInt8(ascii: "$")
    || bytes.contains("]+") || bytes.contains("]*")
}

/// Returns the pattern that is closest to a simple regular expression: `/buy/?*` for
/// `^/buy/[0-9]+$`. Nil if the expression has groups, alternatives, repeat counts in braces, or an
/// unclosed bracket.
private func meantPattern(_ bytes: [UInt8]) -> String? {
  var rest = bytes[...]
  if rest.first == UInt8(ascii: "^") { rest = rest.dropFirst() }
  if rest.last == UInt8(ascii: "$") { rest = rest.dropLast() }
  var pattern: [UInt8] = []
  while let byte = rest.first {
    var isOneCharacter = true
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "|"), UInt8(ascii: "{"),
      UInt8(ascii: "}"):
      return nil
    case UInt8(ascii: "["):
      guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      rest = rest[(end + 1)...]
    case UInt8(ascii: "\\"):
      guard let next = rest.dropFirst().first else { return nil }
      // An escaped letter such as `\d` or `\w` stands for a class of characters. Any other escaped
      // character is literal.
      isOneCharacter = !next.isLetter
      if isOneCharacter { pattern.append(next) }
      rest = rest.dropFirst(2)
      if isOneCharacter { continue }
    case UInt8(ascii: "."):
      rest = rest.dropFirst()
      // A dot without a quantifier is probably meant literally.
      guard let next = rest.first, isQuantifier(next) else {
        pattern.append(byte)
        continue
      }
    default:
      pattern.append(byte)
      rest = rest.dropFirst()
      continue
    }
    let quantifier = rest.first.flatMap { isQuantifier($0) ? $0 : nil }
    if quantifier != nil { rest = rest.dropFirst() }
    switch quantifier {
    case UInt8(ascii: "*"): pattern.append(UInt8(ascii: "*"))
    case UInt8(ascii: "+"): pattern += Array("?*".utf8)
    default: pattern.append(UInt8(ascii: "?"))
    }
  }
  return String(decoding: pattern, as: UTF8.self)
}

private func isQuantifier(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "?")
}
