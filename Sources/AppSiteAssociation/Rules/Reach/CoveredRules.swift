internal import Diagnostics
internal import Rules

let coverageRules: [AssociationRule] = [
  AssociationRule(
    "A086", .note, "rules-not-compared", .reasoned, in: .file,
    "aasa does not know whether some rules ever decide a link",
    "an exact comparison of patterns can take very long, so aasa stops at a limit; rules that are "
      + "not compared may be unreachable"
  ) { file, findings in
    var count = 0
    var first: Range<Int>?
    for (entry, reaches) in zip(file.entries, file.reach.entries) {
      // The first rule cannot be covered, because it has no earlier rules.
      for (rule, reach) in zip(entry.rules, reaches).dropFirst() where reach == .unknown {
        count += 1
        first = first ?? rule.head
      }
    }
    guard let first else { return }
    findings.report(
      first,
      count == 1
        ? "this rule was not compared with earlier rules: the comparison takes too long"
        : "this rule and \(count - 1) more were not compared with earlier rules: the "
          + "comparison takes too long",
      help: "use fewer wildcards, or give variables fewer values, so that aasa can compare all "
        + "rules")
  },
  AssociationRule(
    "A080", .warning, "unreachable-rule", .verified, in: .components, each: \.coveredRules,
    "a rule has no effect: earlier rules match all of its links, some or all of them with the "
      + "opposite result",
    "the first rule that matches decides, so the later rule never decides",
    wrong: #"""
      { "/": "/account/*", "exclude": true },
      { "/": "/account/orders/*" },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/account/orders/*" },
      { "/": "/account/*", "exclude": true },
      { "/": "/buy/*" }
      """#
  ) { covered, file, findings in
    guard covered.kind == .contradicting else { return }
    findings.report(
      covered.rule.head,
      "this rule is never reached: every URL that it matches is already decided by "
        + covered.words(file),
      help: covered.helpForAbsence(file)
        ?? "move this rule before "
        + "\(covered.earlier.count == 1 ? "that rule" : "those rules") if this rule "
        + "should decide, for example, `\(covered.example.reference)`")
  },
  AssociationRule(
    "A081", .warning, "rule-after-catch-all", .verified, in: .components, each: \.coveredRules,
    "a rule comes after an exclusion that matches every link",
    "the first rule that matches decides, so no later rule ever decides",
    wrong: #"""
      { "/": "/help/*" },
      { "/": "*", "exclude": true },
      { "/": "/buy/*" }
      """#,
    right: #"""
      { "/": "/help/*" },
      { "/": "/buy/*" },
      { "/": "*", "exclude": true }
      """#
  ) { covered, file, findings in
    guard covered.kind == .afterCatchAll else { return }
    findings.report(
      covered.rule.head,
      "this rule is never reached: \(covered.words(file)) blocks every link",
      help: covered.helpForAbsence(file)
        ?? "move the rule before the exclusion")
  },
  AssociationRule(
    "A082", .warning, "late-exclusion", .verified, in: .components, each: \.coveredRules,
    "an exclusion comes after the rule that it restricts",
    "the first rule that matches decides, so the exclusion blocks nothing",
    wrong: #"""
      { "/": "/buy/*" },
      { "/": "/buy/secret", "exclude": true }
      """#,
    right: #"""
      { "/": "/buy/secret", "exclude": true },
      { "/": "/buy/*" }
      """#
  ) { covered, file, findings in
    guard covered.kind == .lateExclusion else { return }
    let example = covered.example.reference
    findings.report(
      covered.rule.head,
      "this exclusion blocks nothing: every link that it matches is already opened by "
        + covered.words(file),
      help: covered.helpForAbsence(file)
        ?? "move the exclusion further up, so that it blocks, for example, `\(example)`")
  },
  AssociationRule(
    "A085", .note, "redundant-rule", .verified, in: .components, each: \.coveredRules,
    "earlier rules already decide every link that a rule matches, in the same way",
    "the first rule that matches decides, so the file means the same without the later rule",
    wrong: #"""
      { "/": "/buy/*" },
      { "/": "/buy/shoes" }
      """#,
    right: #"{ "/": "/buy/*" }"#
  ) { covered, file, findings in
    guard covered.kind == .redundant else { return }
    findings.report(
      covered.rule.head,
      "this rule changes nothing: every URL that it matches is already decided by "
        + covered.words(file),
      help: "remove this rule, or change its `exclude` and move it up if it is meant as an "
        + "exception")
  },
]
