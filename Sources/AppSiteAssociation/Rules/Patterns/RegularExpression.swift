internal import Diagnostics

struct RegularExpression: ValidationRule {
  static let code = "A098"
  static let severity = Diagnostic.Severity.warning
  static let name = "regular-expression"
  static let documentation = RuleDocumentation(
    what: "a pattern contains `.*` or `.+` as regular expressions do",
    consequence: "patterns are not regular expressions: the dot is literal",
    grade: .documented,
    wrong: #"{ "/": "/buy/.*" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns {
      guard let range = expressionRange(in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "patterns are not regular expressions",
        help: "write `*` for any characters, `?*` for at least one")
    }
  }
  /// `.*` and `.+` where no file name's extension can be meant.
  private static func expressionRange(in bytes: [UInt8]) -> Range<Int>? {
    for index in bytes.indices.dropLast() where bytes[index] == UInt8(ascii: ".") {
      let next = bytes[index + 1]
      let isAlone = index == 0 || "/(^=".utf8.contains(bytes[index - 1])
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "*") && isAlone {
        return index..<(index + 2)
      }
    }
    return nil
  }
}
