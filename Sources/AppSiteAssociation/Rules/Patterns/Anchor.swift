internal import Diagnostics

struct Anchor: ValidationRule {
  static let code = "A099"
  static let severity = Diagnostic.Severity.warning
  static let name = "anchor"
  static let documentation = RuleDocumentation(
    what: "a pattern begins with `^` or ends with `$`",
    consequence: "a pattern covers the whole part anyway; these characters are literal",
    grade: .documented,
    wrong: #"{ "/": "^/buy/*$" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns {
      guard use.bytes.count > 1 else { continue }
      let first = use.bytes[0] == UInt8(ascii: "^")
      let last = use.bytes[use.bytes.count - 1] == UInt8(ascii: "$")
      guard first || last else { continue }
      let place = first ? 0 : use.bytes.count - 1
      let text = use.bytes[(first ? 1 : 0)..<(use.bytes.count - (last ? 1 : 0))]
      findings.report(
        use.range(place..<(place + 1), in: file.source),
        "`\(first ? "^" : "$")` is not an anchor: a pattern covers the whole part",
        help: "write `\(String(decoding: text, as: UTF8.self))`")
    }
  }
}
