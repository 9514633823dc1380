internal import Diagnostics

struct URLInPath: ValidationRule {
  static let code = "A092"
  static let severity = Diagnostic.Severity.warning
  static let name = "url-in-path"
  static let documentation = RuleDocumentation(
    what: "a path pattern is a whole URL",
    consequence: "a pattern is compared with the path alone, so it never matches",
    grade: .documented,
    wrong: #"{ "/": "https://example.com/buy/*" }"#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part == .path {
      guard use.bytes.first.map(isASCIILetter) ?? false, let mark = find("://", in: use.bytes),
        use.bytes[..<mark.lowerBound].allSatisfy({ isASCIILetter($0) || $0 == UInt8(ascii: "*") })
      else { continue }
      let path = use.bytes[mark.upperBound...].drop { $0 != UInt8(ascii: "/") }
      let text = path.isEmpty ? "*" : String(decoding: path, as: UTF8.self)
      findings.report(
        use.located.range, "a path pattern never matches a scheme and a host",
        help: "write the path alone: `\(text)`")
    }
  }
}
