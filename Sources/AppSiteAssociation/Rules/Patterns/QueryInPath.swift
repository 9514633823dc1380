internal import Diagnostics

struct QueryInPath: ValidationRule {
  static let code = "A091"
  static let severity = Diagnostic.Severity.warning
  static let name = "query-in-path"
  static let documentation = RuleDocumentation(
    what: "a path pattern contains what looks like a query",
    consequence: "the query is never part of the path, and `?` stands for one character",
    grade: .documented,
    wrong: #"{ "/": "/buy?id=*" }"#,
    right: #"{ "/": "/buy", "?": { "id": "?*" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path && !holds("://", use.text) {
      guard let range = queryRange(in: use.bytes) else { continue }
      findings.report(
        use.range(range, in: file.source), "a path never contains a query",
        help: use.isLegacyPath
          ? #"`paths` cannot test queries: write `{"/": "/buy", "?": {"id": "?*"}}` in `components`"#
          : #"write the query for itself: `"/": "/buy", "?": {"id": "?*"}`"#)
    }
  }
  /// `?`, a name and `=`, up to the end.
  private static func queryRange(in bytes: [UInt8]) -> Range<Int>? {
    for start in bytes.indices where bytes[start] == UInt8(ascii: "?") {
      var end = start + 1
      while end < bytes.count,
        isASCIILetter(bytes[end]) || isASCIIDigit(bytes[end]) || bytes[end] == 0x5F
      {
        end += 1
      }
      if end > start + 1, end < bytes.count, bytes[end] == UInt8(ascii: "=") {
        return start..<bytes.count
      }
    }
    return nil
  }
}
