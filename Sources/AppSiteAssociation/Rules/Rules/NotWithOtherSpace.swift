internal import Diagnostics

struct NotWithOtherSpace: ValidationRule {
  static let code = "A066"
  static let severity = Diagnostic.Severity.warning
  static let name = "not-with-other-space"
  static let documentation = RuleDocumentation(
    what: "`NOT` of a legacy path is followed or preceded by other white space than one space",
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
    in: .paths)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
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
          ? "other white space than one space follows `NOT`" : "this path excludes nothing",
        help: "write exactly one space after `NOT` and nothing before it: `NOT /secret`")
    }
  }
}
