internal import Diagnostics
internal import JSON

struct AppNeverOpens: ValidationRule {
  static let code = "A084"
  static let severity = Diagnostic.Severity.warning
  static let name = "app-never-opens"
  static let documentation = RuleDocumentation(
    what: "an entry has rules that open its apps, but none of them is ever reached or can match",
    consequence: "no link opens the app",
    grade: .verified,
    wrong: #"""
      { "/": "*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/buy/*" },
      { "/": "*", "exclude": true }
      """#,
    in: .components)

  static func check(_ file: FileUnderCheck, into findings: inout Findings) {
    for (entry, reaches) in zip(file.association.applinks?.entries ?? [], file.reach.entries) {
      let opening = zip(entry.rules, reaches).filter { !$0.0.isExclusion }
      guard opening.allSatisfy({ $0.1.decidesNothing }),
        // Other diagnostics report rules that never match.
        opening.contains(where: { $0.1 != .matchesNothing })
      else { continue }
      let name = entry.ruleForm == .paths ? "paths" : "components"
      findings.report(
        entry.source.lastMember(name)?.keyRange ?? entry.source.head,
        "no link opens the app: no rule that opens it ever decides",
        help: entry.rules.first { $0.isExclusion && $0.acceptsAbsence }
          .map { absenceHelp(line: file.line(of: $0.source.range)) }
          ?? "put what is to open before what blocks it")
    }
  }
}

extension RuleReach {
  /// Whether it is known that the rule decides no link.
  var decidesNothing: Bool {
    switch self {
    case .decides, .unknown: false
    case .matchesNothing, .isCovered: true
    }
  }
}
