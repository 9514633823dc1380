internal import Diagnostics

struct LowerCaseEscape: ValidationRule {
  static let code = "A096"
  static let severity = Diagnostic.Severity.warning
  static let name = "lower-case-escape"
  static let documentation = RuleDocumentation(
    what: "a percent escape is written with lower-case letters",
    consequence: "the case of hexadecimal digits counts, and browsers write them in upper case",
    grade: .verified,
    wrong: #"{ "/": "/caf%c3%a9/*" }"#,
    right: #"{ "/": "/caf%C3%A9/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isPercentEncoded && use.isCaseSensitive {
      guard let start = firstLowerCase(in: use.bytes) else { continue }
      let range = start..<(start + 3)
      let text = String(decoding: use.bytes[range], as: UTF8.self)
      findings.report(
        use.range(range, in: file.source), "the escape `\(text)` is in lower case",
        help: "write `\(text.uppercased())`")
    }
  }
  private static func firstLowerCase(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { index in
      guard bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count else { return false }
      let digits = bytes[(index + 1)...(index + 2)]
      return digits.allSatisfy(isHexadecimal) && digits.contains { $0 >= UInt8(ascii: "a") }
    }
  }
}
