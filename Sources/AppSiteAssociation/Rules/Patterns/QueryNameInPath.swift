internal import Diagnostics

struct QueryNameInPath: ValidationRule {
  static let code = "A115"
  static let severity = Diagnostic.Severity.note
  static let name = "query-name-in-path"
  static let documentation = RuleDocumentation(
    what: "a path pattern ends with `?` and a word, like a query",
    consequence: "the query is never part of the path, and `?` stands for one character",
    grade: .documented,
    wrong: #"{ "/": "/reset?token" }"#,
    right: #"{ "/": "/reset", "?": { "token": "?*" } }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path {
      guard let mark = use.bytes.lastIndex(of: UInt8(ascii: "?")), mark > 1 else { continue }
      let word = use.bytes[(mark + 1)...]
      let isWord = word.allSatisfy { isASCIILetter($0) || isASCIIDigit($0) || $0 == 0x5F }
      let before = use.bytes[mark - 1]
      // Several question marks, or one after a wildcard, are meant as characters.
      guard word.count > 1, isWord, isASCIILetter(before) || isASCIIDigit(before) else { continue }
      let path = String(decoding: use.bytes[..<mark], as: UTF8.self)
      let name = String(decoding: word, as: UTF8.self)
      let component = #"{"/": "\#(path)", "?": {"\#(name)": "?*"}}"#
      findings.report(
        use.range(mark..<use.bytes.count, in: file.source), "this looks like a query in a path",
        help: use.isLegacyPath
          ? "`paths` cannot test queries: write `\(component)` in `components`"
          : "if a query is meant, write `\(component)`")
    }
  }
}
