internal import Diagnostics

struct IdentifiersDifferInCase: ValidationRule {
  static let code = "A045"
  static let severity = Diagnostic.Severity.warning
  static let name = "identifiers-differ-in-case"
  static let documentation = RuleDocumentation(
    what: "two app identifiers differ only in the case of letters",
    consequence:
      "identifiers are case-sensitive here: for one of the two spellings there is no app",
    grade: .observed,
    wrong: #""K27TX9P4QD.org.swift.shop", "K27TX9P4QD.org.swift.Shop""#,
    right: #""K27TX9P4QD.org.swift.shop""#,
    in: .identifier)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    var spellings: [String: Located<String>] = [:]
    for use in file.identifiers {
      let key = use.text.lowercased()
      guard let first = spellings[key] else {
        spellings[key] = use.located
        continue
      }
      if first.value == use.text { continue }
      findings.report(
        use.located.range, "`\(use.text)` is spelt `\(first.value)` elsewhere",
        help: "write both as the app has it; the other is on line \(file.line(of: first.range))")
    }
  }
}
