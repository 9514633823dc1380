internal import Diagnostics

struct RegionCode: ValidationRule {
  static let code = "A131"
  static let severity = Diagnostic.Severity.note
  static let name = "region-code"
  static let documentation = RuleDocumentation(
    what: "`$(region)` stands in a case-sensitive pattern whose other letters are in lower case",
    consequence:
      "region codes are in upper case and the United Kingdom is `GB`: `$(region)` matches neither "
      + "`us` nor `UK`",
    grade: .verified,
    wrong: #"{ "/": "/$(region)/shop" }"#,
    right: #"{ "/": "/$(region)/shop", "caseSensitive": false }"#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for use in file.patterns where use.isCaseSensitive {
      let isLowerCase = use.syntax.parts.allSatisfy { part in
        if case .literal(let scalar) = part.token { return !scalar.properties.isUppercase }
        return part.token != .variable("lang")
      }
      guard isLowerCase,
        let part = use.syntax.parts.first(where: { $0.token == .variable("region") })
      else { continue }
      findings.report(
        use.range(of: part, in: file.source), "`$(region)` stands for codes in upper case",
        help: #"add `"caseSensitive": false` when URLs have them in lower case"#)
    }
  }
}
