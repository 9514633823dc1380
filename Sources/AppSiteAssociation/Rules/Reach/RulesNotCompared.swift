internal import Diagnostics

struct RulesNotCompared: ValidationRule {
  let documentation = RuleDocumentation(
    "A086", .note, "rules-not-compared",
    what: "it is not known whether some rules ever decide anything",
    consequence:
      "an exact comparison of patterns can take very long, so it stops at a limit; rules that "
      + "are never reached may be among these",
    grade: .reasoned,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file)

  func check(_ file: FileUnderCheck, into findings: inout Findings) {
    var count = 0
    var first: Range<Int>?
    for (entry, reaches) in zip(file.association.applinks?.entries ?? [], file.reach.entries) {
      // The first has none before it.
      for (rule, reach) in zip(entry.rules, reaches).dropFirst() where reach == .unknown {
        count += 1
        first = first ?? rule.head
      }
    }
    guard let first else { return }
    findings.report(
      first,
      count == 1
        ? "this rule was not compared with those before it: that would take too long"
        : "this rule and \(count - 1) more were not compared with those before them: that would "
          + "take too long",
      help: "use fewer wildcards, or give variables fewer values, to have all rules compared")
  }
}
