internal import Diagnostics
internal import Rules

let coverageRules: [AssociationRule] = [
  AssociationRule(
    "A086", .note, "rules-not-compared",
    what: "it is not known whether some rules ever decide anything",
    consequence:
      "an exact comparison of patterns can take very long, so it stops at a limit; rules that "
      + "are never reached may be among these",
    grade: .reasoned,
    wrong: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    right: #"{ "webcredentials": { "apps": ["K27TX9P4QD.org.swift.shop"] } }"#,
    in: .file
  ) { file, findings in
    var count = 0
    var first: Range<Int>?
    for (entry, reaches) in zip(file.association.applinks?.entries ?? [], file.reach.entries) {
      // The first rule has no earlier rules.
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
  },
  AssociationRule(
    "A080", .warning, "unreachable-rule",
    what: "earlier rules already decide every link that a rule matches, but differently",
    consequence: "the first rule that matches decides, so this one never does",
    grade: .verified,
    wrong: #"""
      { "/": "/account/*", "exclude": true },
      { "/": "/account/orders/*" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/account/orders/*" },
      { "/": "/account/*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components
  ) { file, findings in
    for covered in file.coveredRules(.contradicting) {
      findings.report(
        covered.rule.head,
        "this rule is never reached: \(covered.words(file)) already decided all that it matches",
        help: covered.helpForAbsence(file)
          ?? "move it before \(covered.earlier.count == 1 ? "that rule" : "those rules") if it is "
          + "to decide, for example, `\(covered.example.reference)`")
    }
  },
  AssociationRule(
    "A081", .warning, "rule-after-catch-all",
    what: "a rule comes after an exclusion that matches every link",
    consequence: "the first rule that matches decides, so no later one ever does",
    grade: .verified,
    wrong: #"""
      { "/": "/help/*" },
      { "/": "*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/help/*" },
      { "/": "/buy/*" },
      { "/": "*", "exclude": true }
      """#,
    in: .components
  ) { file, findings in
    for covered in file.coveredRules(.afterCatchAll) {
      findings.report(
        covered.rule.head,
        "this rule is never reached: \(covered.words(file)) blocks every link",
        help: covered.helpForAbsence(file)
          ?? "move it before the exclusion, or remove it")
    }
  },
  AssociationRule(
    "A082", .warning, "late-exclusion",
    what: "an exclusion comes after the rule that it restricts",
    consequence: "the first rule that matches decides, so the exclusion blocks nothing",
    grade: .verified,
    wrong: #"""
      { "/": "/buy/*" },
      { "/": "/buy/secret", "exclude": true }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#,
    in: .components
  ) { file, findings in
    for covered in file.coveredRules(.lateExclusion) {
      let example = covered.example.reference
      findings.report(
        covered.rule.head,
        "this exclusion blocks nothing: \(covered.words(file)) already opened all that it matches",
        help: covered.helpForAbsence(file)
          ?? "move it before that, so that `\(example)`, for example, is blocked")
    }
  },
  AssociationRule(
    "A085", .note, "redundant-rule",
    what: "earlier rules already decide every link that a rule matches, in the same way",
    consequence: "the first rule that matches decides, so the file means the same without this one",
    grade: .verified,
    wrong: #"""
      { "/": "/buy/*" },
      { "/": "/buy/shoes" }
      """#,
    right: #"{ "/": "/buy/*" }"#,
    in: .components
  ) { file, findings in
    for covered in file.coveredRules(.redundant) {
      findings.report(
        covered.rule.head,
        "this rule changes nothing: \(covered.words(file)) already decided all that it matches",
        help: "remove it, or move it before if it is meant to be an exception")
    }
  },
]
