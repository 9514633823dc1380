internal import Diagnostics
internal import JSON
internal import Rules

let appsAndLinksRules: [AssociationRule] = [
  AssociationRule(
    "A084", .warning, "app-never-opens",
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
    in: .components
  ) { file, findings in
    for (entry, reaches) in zip(file.association.applinks?.entries ?? [], file.reach.entries) {
      let opening = zip(entry.rules, reaches).filter { !$0.0.isExclusion }
      guard opening.allSatisfy({ $0.1.decidesNothing }),
        // Other rules report rules that never match.
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
  },
  AssociationRule(
    "A088", .note, "apps-share-links",
    what: "two entries of `details` open the same links in different apps",
    consequence: "if both apps are installed, the first entry decides",
    grade: .observed,
    wrong: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.pay"], "components": [{ "/": "/buy/*" }] }
      ]
      """#,
    right: #"""
      "details": [
        { "appIDs": ["K27TX9P4QD.org.swift.shop"], "components": [{ "/": "/buy/*" }] },
        { "appIDs": ["K27TX9P4QD.org.swift.pay"], "components": [{ "/": "/pay/*" }] }
      ]
      """#,
    in: .applinks
  ) { file, findings in
    for shared in sharedLinks(of: file.association, file.reach.entries) {
      guard let first = file.association.applinks?.entries[shared.first].appIdentifiers.first,
        let second = file.association.applinks?.entries[shared.second].appIdentifiers.first
      else { continue }
      findings.report(
        second.range,
        "`\(second.value)` opens `\(shared.example.reference)`, which `\(first.value)` on line "
          + "\(file.line(of: first.range)) opens too",
        help: "put the app first that should win where both are installed")
    }
  },
]

extension RuleReach {
  /// Whether the rule is known to decide no link.
  var decidesNothing: Bool {
    switch self {
    case .decides, .unknown: false
    case .matchesNothing, .isCovered: true
    }
  }
}
