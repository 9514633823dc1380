internal import Diagnostics

struct AppInTwoEntries: ValidationRule {
  static let code = "A044"
  static let severity = Diagnostic.Severity.warning
  static let name = "app-in-two-entries"
  static let documentation = RuleDocumentation(
    what: "two entries of `details` are for the same app",
    consequence:
      "in the one recorded case the rules of the second entry were not added to those of the first",
    grade: .undocumented,
    wrong: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/help/*" }] }
      ]
      """#,
    right: #"""
      "details": [
        {
          "appIDs": ["K27TX9P4QD.org.swift.shop"],
          "components": [{ "/": "/buy/*" }, { "/": "/help/*" }]
        }
      ]
      """#,
    in: .applinks)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    var first: [String: (entry: Int, range: Range<Int>)] = [:]
    for (index, entry) in file.entries.enumerated() {
      for identifier in entry.appIdentifiers {
        guard let earlier = first[identifier.value] else {
          first[identifier.value] = (index, identifier.range)
          continue
        }
        if earlier.entry == index { continue }
        findings.report(
          identifier.range, "`\(identifier.value)` already has an entry",
          help: "write all its rules into the entry on line \(file.line(of: earlier.range))")
      }
    }
  }
}
