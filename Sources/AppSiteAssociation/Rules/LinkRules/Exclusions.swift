internal import Diagnostics
internal import JSON
internal import Rules

let exclusionRules: [AssociationRule] = [
  AssociationRule(
    "A063", .warning, "only-exclusions",
    what: "every rule of an entry is an exclusion",
    consequence: "a link that no rule matches does not open the app either, so it never opens",
    grade: .verified,
    wrong: #"{ "/": "/login", "exclude": true }"#,
    right: #"""
      { "/": "/login", "exclude": true },
      { "/": "*" }
      """#,
    in: .components
  ) { file, findings in
    for entry in file.entries where !entry.rules.isEmpty {
      guard entry.rules.allSatisfy(\.isExclusion),
        let list = entry.source.lastMember(entry.ruleForm == .paths ? "paths" : "components")
      else { continue }
      findings.report(
        list.keyRange, "every rule of this entry is an exclusion, so no link opens the app",
        help: onlyExclusionsHelp(entry))
    }
  },
  AssociationRule(
    "A064", .warning, "not-without-space",
    what: "a legacy path begins with `NOT` without a space",
    consequence:
      "only `NOT` and one space exclude: this is a path that begins with the letters NOT",
    grade: .verified,
    wrong: #"""
      "NOT/secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths
  ) { file, findings in
    for use in file.patterns where use.isLegacyPath && use.text.hasPrefix("NOT/") {
      findings.report(
        use.range(0..<3, in: file.source), "`NOT` without a space excludes nothing",
        help: "write `NOT \(use.text.dropFirst(3))`")
    }
  },
  AssociationRule(
    "A065", .warning, "exclamation-mark",
    what: "a pattern begins with an exclamation mark",
    consequence: "an exclamation mark excludes nothing: it is a character of the path",
    grade: .undocumented,
    wrong: #"""
      "!/secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths
  ) { file, findings in
    for use in file.patterns where use.part == .path && use.text.hasPrefix("!") {
      findings.report(
        use.range(0..<1, in: file.source), "`!` excludes nothing",
        help: use.isLegacyPath
          ? "write `NOT \(use.text.dropFirst())`"
          : "write `\"/\": \"\(use.text.dropFirst())\", \"exclude\": true`")
    }
  },
  AssociationRule(
    "A066", .warning, "not-with-other-space",
    what: "`NOT` of a legacy path has white space around it that is not exactly one space after it",
    consequence:
      "only `NOT` and one space at the beginning exclude; what follows is the path, white space "
      + "included",
    grade: .documented,
    wrong: #"""
      "NOT  /secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths
  ) { file, findings in
    for use in file.patterns where use.isLegacyPath {
      guard let value = Optional(Array(use.located.value.unicodeScalars)), let first = value.first
      else { continue }
      let written = file.source.bytes[use.located.range].dropFirst()
      let isExclusion = written.starts(with: "NOT ".utf8)
      let trimmed = value.drop { $0.properties.isWhitespace }
      let word = String(String.UnicodeScalarView(trimmed.prefix(4)))
      let isMeant =
        isExclusion
        ? first.properties.isWhitespace
        : word.hasPrefix("NOT")
          && (trimmed.count < value.count && word == "NOT "
            || trimmed.dropFirst(3).first.map { $0.properties.isWhitespace && $0 != " " } ?? false)
      guard isMeant else { continue }
      findings.report(
        use.located.range,
        isExclusion
          ? "the white space after `NOT` is not exactly one space" : "this path excludes nothing",
        help: "write exactly one space after `NOT` and nothing before it: `NOT /secret`")
    }
  },
  AssociationRule(
    "A067", .warning, "not-in-lower-case",
    what: "`not` of a legacy path is not written in capitals",
    consequence: "only `NOT` in capitals excludes: this is a path",
    grade: .undocumented,
    wrong: #"""
      "not /secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#,
    in: .paths
  ) { file, findings in
    for use in file.patterns where use.isLegacyPath {
      let word = use.text.prefix(4)
      guard word.uppercased() == "NOT ", word != "NOT ",
        !file.source.bytes[use.located.range].dropFirst().starts(with: "NOT ".utf8)
      else { continue }
      findings.report(
        use.range(0..<3, in: file.source), "`\(word.dropLast())` excludes nothing",
        help: "write it in capitals: `NOT \(use.text.dropFirst(4))`")
    }
  },
  AssociationRule(
    "A068", .warning, "not-in-component",
    what: "a pattern of a component begins with `NOT`",
    consequence: "`NOT` excludes only in `paths`; in a component it is part of the pattern",
    grade: .undocumented,
    wrong: #"{ "/": "NOT /secret" }"#,
    right: #"""
      { "/": "/secret", "exclude": true },
      { "/": "*" }
      """#,
    in: .components
  ) { file, findings in
    for use in file.patterns where use.part == .path && !use.isLegacyPath {
      guard use.text.hasPrefix("NOT ") || use.text.hasPrefix("NOT/") else { continue }
      findings.report(
        use.range(0..<3, in: file.source), "`NOT` excludes nothing in a component",
        help: "write `\"/\": \"\(use.text.dropFirst(3).drop { $0 == " " })\", \"exclude\": true`")
    }
  },
]

private func onlyExclusionsHelp(_ entry: DetailsEntry) -> String {
  if entry.ruleForm == .paths {
    return #"add what is to open, for example `"*"`, as the last path"#
  }
  if entry.rules.contains(where: { $0.written.exclude == nil }) {
    return #"remove `exclude` from `defaults`, or write `"exclude": false` into what is to open: "#
      + #"`{"/": "/buy/*", "exclude": false}`"#
  }
  return #"add what is to open, for example `{"/": "*"}`, as the last component"#
}
