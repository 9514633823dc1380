internal import Diagnostics

struct Braces: ValidationRule {
  static let code = "A101"
  static let severity = Diagnostic.Severity.warning
  static let name = "braces"
  static let documentation = RuleDocumentation(
    what: "a pattern contains braces, as shells and web routers use them",
    consequence: "there are no alternatives and parameters in braces: they are literal",
    grade: .documented,
    wrong: #"{ "/": "/{buy,sell}/*" }"#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "/sell/*" }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.part != .fragment {
      guard let start = use.bytes.firstIndex(of: UInt8(ascii: "{")),
        start == 0 || use.bytes[start - 1] != UInt8(ascii: "$"),
        let end = use.bytes[start...].firstIndex(of: UInt8(ascii: "}"))
      else { continue }
      let isList = use.bytes[start...end].contains(UInt8(ascii: ","))
      findings.report(
        use.range(start..<(end + 1), in: file.source), "braces have no meaning in patterns",
        help: isList
          ? "write one rule for each, or a variable in substitutionVariables"
          : "write `?*`, which matches one or more characters")
    }
  }
}
