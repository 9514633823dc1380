internal import Diagnostics

/// Every rule, in the order of the codes.
package enum RuleTable {
  package struct Group: Sendable {
    package let title: String
    package let rules: [any ValidationRule.Type]
  }

  package static let groups = [
    Group(title: "form of the file", rules: formRules),
    Group(title: "structure", rules: structureRules),
    Group(title: "app identifiers", rules: identifierRules),
    Group(title: "rules", rules: ruleRules),
    Group(title: "reach of rules", rules: reachabilityRules),
    Group(title: "patterns", rules: patternRules),
    Group(title: "variables", rules: variableRules),
    Group(title: "other services", rules: serviceRules),
    Group(title: "text that the public can read", rules: publicTextRules),
    Group(title: "the file as a whole", rules: wholeRules),
  ]

  static let all = groups.flatMap(\.rules)
  static let withoutNotes = all.filter { $0.severity > .note }
}
