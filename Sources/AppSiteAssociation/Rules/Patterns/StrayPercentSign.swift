internal import Diagnostics

struct StrayPercentSign: ValidationRule {
  static let code = "A097"
  static let severity = Diagnostic.Severity.warning
  static let name = "stray-percent-sign"
  static let documentation = RuleDocumentation(
    what: "a percent sign is not followed by two hexadecimal digits",
    consequence: "in a URL a percent sign is written `%25`, so this never matches",
    grade: .undocumented,
    wrong: #"{ "/": "/100%/*" }"#,
    right: #"{ "/": "/100%25/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isPercentEncoded {
      guard let start = firstStray(in: use.bytes) else { continue }
      findings.report(
        use.range(start..<(start + 1), in: file.source), "this percent sign begins no escape",
        help: "write `%25` for a percent sign")
    }
  }
  /// Wildcards and variables may represent the digits.
  private static func firstStray(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { index in
      guard bytes[index] == UInt8(ascii: "%") else { return false }
      for next in bytes[(index + 1)...].prefix(2) {
        if "*$".utf8.contains(next) { return false }
        if !isHexadecimal(next) && next != UInt8(ascii: "?") { return true }
      }
      return index + 2 >= bytes.count
    }
  }
}
