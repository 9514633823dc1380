internal import Diagnostics

struct AppInTwoEntries: ValidationRule {
  static let code = "A044"
  static let severity = Diagnostic.Severity.warning
  static let name = "app-in-two-entries"
  static let documentation = RuleDocumentation(
    what: "two entries of `details` are for the same app",
    consequence: "for one app only one entry counts: the rules of the other are not added to it",
    grade: .verified,
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
