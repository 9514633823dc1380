internal import Diagnostics

struct CharacterClass: ValidationRule {
  static let code = "A104"
  static let severity = Diagnostic.Severity.warning
  static let name = "character-class"
  static let documentation = RuleDocumentation(
    what: "a pattern contains a character class such as `[0-9]`",
    consequence: "there are no such classes: the brackets are literal",
    grade: .documented,
    wrong: #"{ "/": "/buy/[0-9]" }"#,
    right: #"{ "/": "/buy/$(digit)" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns {
      guard let range = classRange(in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "brackets are not a character class in a pattern",
        help: "write `$(digit)`, `$(alpha)`, `$(alnum)` or `?` for one character, `*` for several")
    }
  }
  /// Brackets around something with a hyphen between two characters.
  private static func classRange(in bytes: [UInt8]) -> Range<Int>? {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "[")),
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "]")),
      let hyphen = bytes[start...end].firstIndex(of: UInt8(ascii: "-")),
      hyphen > start + 1, hyphen < end - 1
    else { return nil }
    return start..<(end + 1)
  }
}
