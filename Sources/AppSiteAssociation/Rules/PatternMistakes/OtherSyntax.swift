internal import Diagnostics
internal import Rules

let otherSyntaxRules: [AssociationRule] = [
  AssociationRule(
    "A098", .warning, "regular-expression",
    what: "a pattern contains `.*` or `.+` as regular expressions do",
    consequence: "patterns are not regular expressions: the dot is literal",
    grade: .documented,
    wrong: #"{ "/": "/buy/.*" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns {
      guard let range = expressionRange(in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "patterns are not regular expressions",
        help: meantPattern(use.bytes).map { "write `\($0)`" }
          ?? "write `*` for any characters, `?*` for at least one")
    }
  },
  AssociationRule(
    "A099", .warning, "anchor",
    what: "a pattern begins with `^` or ends with `$`",
    consequence: "a pattern covers the whole part anyway; these characters are literal",
    grade: .documented,
    wrong: #"{ "/": "^/buy/*$" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns {
      guard use.bytes.count > 1 else { continue }
      let first = use.bytes[0] == UInt8(ascii: "^")
      let last = use.bytes[use.bytes.count - 1] == UInt8(ascii: "$")
      guard first || last else { continue }
      let place = first ? 0 : use.bytes.count - 1
      findings.report(
        use.range(place..<(place + 1), in: file.source),
        "`\(first ? "^" : "$")` is not an anchor: a pattern covers the whole part",
        help: meantPattern(use.bytes).map { "write `\($0)`" }
          ?? "write a pattern without it: `*` stands for any characters, `?` for one")
    }
  },
  AssociationRule(
    "A100", .warning, "router-parameter",
    what: "a segment of a path pattern is a parameter of a web router, such as `:id`",
    consequence: "it is literal and matches no value",
    grade: .documented,
    wrong: #"{ "/": "/buy/:id" }"#,
    right: #"{ "/": "/buy/?*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part == .path && !holds("://", use.text) {
      guard let range = parameterRange(in: use.bytes) else { continue }
      let text = String(decoding: use.bytes[range], as: UTF8.self)
      findings.report(
        use.range(range, in: file.source), "`\(text)` stands for itself and not for a value",
        help: "write `?*`, which matches one or more characters: `/buy/?*`")
    }
  },
  AssociationRule(
    "A101", .warning, "braces",
    what: "a pattern contains braces, as shells and web routers use them",
    consequence: "there are no alternatives and parameters in braces: they are literal",
    grade: .documented,
    wrong: #"{ "/": "/{buy,sell}/*" }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part != .fragment {
      guard let start = use.bytes.firstIndex(of: UInt8(ascii: "{")),
        start == 0 || use.bytes[start - 1] != UInt8(ascii: "$"),
        let end = use.bytes[start...].firstIndex(of: UInt8(ascii: "}"))
      else { continue }
      let isList = use.bytes[start...end].contains(UInt8(ascii: ","))
      findings.report(
        use.range(start..<(end + 1), in: file.source), "braces have no meaning in patterns",
        help: isList
          ? "write one rule for each, or a variable in substitutionVariables"
          : "write `?*`, which matches one or more characters")
    }
  },
  AssociationRule(
    "A102", .note, "double-asterisk",
    what: "a pattern contains `**`",
    consequence: "one `*` matches slashes too, so two are the same as one",
    grade: .verified,
    wrong: #"{ "/": "/buy/**" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns {
      guard let range = find("**", in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "`**` is the same as `*`", help: "write `*`")
    }
  },
  AssociationRule(
    "A103", .warning, "backslash",
    what: "a pattern contains a backslash",
    consequence: "patterns have no escapes, and no URL contains a literal backslash",
    grade: .documented,
    wrong: #"{ "/": "/buy/\\*" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.isPercentEncoded || use.part == .path {
      guard let start = use.bytes.firstIndex(of: UInt8(ascii: "\\")) else { continue }
      findings.report(
        use.range(start..<(start + 1), in: file.source), "a backslash escapes nothing in a pattern",
        help: "remove it; write `/` between segments, and `?` where a `*` itself stands in the URL")
    }
  },
  AssociationRule(
    "A104", .warning, "character-class",
    what: "a pattern contains a character class such as `[0-9]`",
    consequence: "there are no such classes: the brackets are literal",
    grade: .documented,
    wrong: #"{ "/": "/buy/[0-9]" }"#,
    right: #"{ "/": "/buy/$(digit)" }"#,
    in: .components
  ) { file, findings in
    for use in file.patterns {
      guard let range = classRange(in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "brackets are not a character class in a pattern",
        help: isRegularExpression(use.bytes)
          ? meantPattern(use.bytes).map { "write `\($0)`" }
            ?? "write `*` for any characters, `?` for one"
          : "write `$(digit)`, `$(alpha)`, `$(alnum)` or `?` for one character, `*` for several")
    }
  },
  AssociationRule(
    "A105", .warning, "alternatives",
    what: "a pattern contains alternatives with `|`",
    consequence: "there are no alternatives in patterns, and no URL contains `|` as it is",
    grade: .documented,
    wrong: #"{ "/": "/(buy|sell)/*" }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.isPercentEncoded || find("(", in: use.bytes) != nil {
      guard let start = use.bytes.firstIndex(of: UInt8(ascii: "|")) else { continue }
      findings.report(
        use.range(start..<(start + 1), in: file.source), "`|` separates nothing in a pattern",
        help: "write one rule for each, or a variable in substitutionVariables")
    }
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

private func parameterRange(in bytes: [UInt8]) -> Range<Int>? {
  for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: ":") {
    guard index == 0 || bytes[index - 1] == UInt8(ascii: "/"), isASCIILetter(bytes[index + 1])
    else {
      continue
    }
    let end = bytes[index...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
    return index..<end
  }
  return nil
}

/// Returns the range of brackets around something with a hyphen between two characters.
private func classRange(in bytes: [UInt8]) -> Range<Int>? {
  guard let start = bytes.firstIndex(of: UInt8(ascii: "[")),
    let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")),
    let hyphen = bytes[start...end].firstIndex(of: UInt8(ascii: "-")),
    hyphen > start + 1, hyphen < end - 1
  else { return nil }
  return start..<(end + 1)
}
