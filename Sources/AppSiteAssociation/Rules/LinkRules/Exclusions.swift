internal import Diagnostics
internal import JSON
internal import Rules

let exclusionRules: [AssociationRule] = [
  AssociationRule(
    "A063", .warning, "only-exclusions", .verified, in: .components, each: \.entries,
    "every rule of an entry is an exclusion",
    "a link that no rule matches does not open the app either, so no link opens it",
    wrong: #"{ "/": "/login", "exclude": true }"#,
    right: #"""
      { "/": "/login", "exclude": true },
      { "/": "*" }
      """#
  ) { entry, _, findings in
    guard !entry.rules.isEmpty, entry.rules.allSatisfy(\.isExclusion), let list = entry.ruleList
    else { return }
    findings.report(
      list.keyRange, "every rule of this entry is an exclusion, so no link opens the app",
      help: onlyExclusionsHelp(entry))
  },
  AssociationRule(
    "A064", .warning, "not-without-space", .documented, in: .paths, each: \.patterns,
    "a legacy path begins with `NOT` without a space",
    "only `NOT` and one space exclude; without the space, NOT is the beginning of the path",
    wrong: #"""
      "NOT/secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#
  ) { use, _, findings in
    guard use.isLegacyPath && use.text.hasPrefix("NOT/") else { return }
    findings.report(
      use.range(0..<3), "`NOT` without a space excludes nothing",
      help: "write `NOT \(use.text.dropFirst(3))`")
  },
  AssociationRule(
    "A065", .warning, "exclamation-mark", .undocumented, in: .paths, each: \.patterns,
    "a pattern begins with an exclamation mark",
    "an exclamation mark excludes nothing: it is a character of the path",
    wrong: #"""
      "!/secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#
  ) { use, _, findings in
    guard use.part == .path && use.text.hasPrefix("!") else { return }
    findings.report(
      use.range(0..<1), "`!` excludes nothing",
      help: use.isLegacyPath
        ? "write `NOT \(use.text.dropFirst())`"
        : "write `\"/\": \"\(use.text.dropFirst())\", \"exclude\": true`")
  },
  AssociationRule(
    "A066", .warning, "not-with-other-space", .documented, in: .paths, each: \.patterns,
    "a legacy path has white space before `NOT`, or not exactly one space after `NOT`",
    "a path excludes links only if it begins with `NOT` and one space; any other white space "
      + "belongs to the path",
    wrong: #"""
      "NOT  /secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#
  ) { use, file, findings in
    let value = Array(use.located.value.unicodeScalars)
    guard use.isLegacyPath, let first = value.first else { return }
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
    guard isMeant else { return }
    findings.report(
      use.located.range,
      isExclusion
        ? "the white space after `NOT` is not exactly one space" : "this path excludes nothing",
      help: "write exactly one space after `NOT` and nothing before it: `NOT /secret`")
  },
  AssociationRule(
    "A067", .warning, "not-in-lower-case", .undocumented, in: .paths, each: \.patterns,
    "the `NOT` of a legacy path is not in upper case",
    "only `NOT` in upper case excludes; any other spelling is part of the path",
    wrong: #"""
      "not /secret",
      "*"
      """#,
    right: #"""
      "NOT /secret",
      "*"
      """#
  ) { use, file, findings in
    guard use.isLegacyPath else { return }
    let word = use.text.prefix(4)
    guard word.uppercased() == "NOT ", word != "NOT ",
      !file.source.bytes[use.located.range].dropFirst().starts(with: "NOT ".utf8)
    else { return }
    findings.report(
      use.range(0..<3), "`\(word.dropLast())` excludes nothing",
      help: "write `NOT` in capitals: `NOT \(use.text.dropFirst(4))`")
  },
  AssociationRule(
    "A068", .warning, "not-in-component", .undocumented, in: .components, each: \.patterns,
    "a pattern of a component begins with `NOT`",
    "`NOT` excludes only in `paths`; in a component it is part of the pattern",
    wrong: #"{ "/": "NOT /secret" }"#,
    right: #"""
      { "/": "/secret", "exclude": true },
      { "/": "*" }
      """#
  ) { use, _, findings in
    guard use.part == .path && !use.isLegacyPath,
      use.text.hasPrefix("NOT ") || use.text.hasPrefix("NOT/")
    else { return }
    findings.report(
      use.range(0..<3), "`NOT` excludes nothing in a component",
      help: "write `\"/\": \"\(use.text.dropFirst(3).drop { $0 == " " })\", \"exclude\": true`")
  },
]

private func onlyExclusionsHelp(_ entry: DetailsEntry) -> String {
  if entry.ruleForm == .paths {
    return #"at the end of the list, add paths that open the app, for example `"*"`"#
  }
  if entry.rules.contains(where: { $0.written.exclude == nil }) {
    return #"remove `exclude` from `defaults`, or write `"exclude": false` into "#
      + #"rules that open the app: "#
      + #"`{"/": "/buy/*", "exclude": false}`"#
  }
  return #"at the end of the list, add components that open the app, for example `{"/": "*"}`"#
}
