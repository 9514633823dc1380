internal import Bytes
internal import Diagnostics
internal import JSON
internal import Rules

let dynamicOrderRules: [StatementRule] = [
  StatementRule(
    "D144", "empty-dynamic-part", .warning,
    "the list of dynamic rules, or a part of a dynamic rule, is empty",
    "Android discards all dynamic rules, so the manifest alone decides",
    source: Evidence.google, each: \.dynamicComponents,
    wrong: Example.dynamicRules(#"{"/": ""}"#), right: rightDynamic
  ) { value, _, findings in
    guard value.kind == .array else { return }
    if value.elements.isEmpty {
      findings.report(
        value.head, "the list of dynamic rules is empty",
        help: "add a dynamic rule, or remove the key")
    }
    for member in value.elements.flatMap(\.members) {
      for empty in emptyParts(of: member) {
        findings.report(
          empty.range, "this part of a dynamic rule is empty", help: "write a pattern, or `*`")
      }
    }
  },
  StatementRule(
    "D145", "unreachable-dynamic-rule", .warning,
    "an earlier dynamic rule matches every link that a later dynamic rule matches",
    "Android uses the first rule that matches a link, so the later rule has no effect",
    source: Evidence.google, each: \.ruleLists,
    wrong: Example.dynamicRules(#"{"/": "/buy/*"}"#, #"{"/": "/buy/internal/*", "exclude": true}"#),
    right: Example.dynamicRules(#"{"/": "/buy/internal/*", "exclude": true}"#, #"{"/": "/buy/*"}"#)
  ) { list, _, findings in
    // Limit the number of rules: comparing each rule with all earlier rules takes quadratic time.
    for (index, rule) in list.rules.enumerated().prefix(300) {
      guard let earlier = list.rules.prefix(index).first(where: { $0.covers(rule) }) else {
        continue
      }
      findings.report(
        rule.head,
        earlier.matchesEveryPath
          ? "this rule is never reached: an earlier rule matches every link"
          : "this rule is never reached: an earlier rule, \(earlier.text), matches every "
            + "link of this rule",
        help: "move this rule before the earlier rule, or remove this rule")
    }
  },
  StatementRule(
    "D146", "repeated-dynamic-rules", .warning, "an app has several lists of dynamic rules",
    "Android does not guarantee which list it uses", source: Evidence.google,
    wrong: Example.dynamicRules(#"{"/": "/buy/*"}"#).dropLast(2) + ",\n"
      + Example.dynamicRules(#"{"/": "/sell/*"}"#).dropFirst(2),
    right: Example.dynamicRules(#"{"/": "/buy/*"}"#, #"{"/": "/sell/*"}"#)
  ) { list, findings in
    var seen: Set<String> = []
    for statement in list.statements {
      guard let value = statement.dynamicComponents,
        let name = statement.target?.packageName?.value, !seen.insert(name).inserted
      else { continue }
      findings.report(
        value.head, "an earlier statement has dynamic rules for \(name) too",
        help: "put all rules into one list")
    }
  },
  StatementRule(
    "D147", "wildcard-after-star", .note, "a wildcard follows a `*` in a dynamic rule",
    "a `*` matches up to the next occurrence of the character that follows the `*`; Google does "
      + "not document a `*` before a wildcard",
    source: Evidence.unknown, each: \.dynamicRules,
    wrong: Example.dynamicRules(#"{"/": "/buy/*?"}"#),
    right: Example.dynamicRules(#"{"/": "/buy/?*"}"#)
  ) { rule, _, findings in
    guard rule.patterns.contains(where: { AndroidPattern($0).isUndocumented }) else { return }
    findings.report(
      rule.head, "a pattern of this rule has a wildcard after a `*`",
      help: "write `?*` for at least one character")
  },
  StatementRule(
    "D148", "dynamic-rule-without-links", .warning, "no link matches a dynamic rule",
    "Android compares the whole path, which begins with a slash, and has no variables such as "
      + "`$(lang)`; a rule without path, query and fragment matches nothing",
    source: Evidence.android, each: \.dynamicRules,
    wrong: Example.dynamicRules(#"{"/": "buy/*"}"#, #"{"exclude": true}"#),
    right: Example.dynamicRules(#"{"/": "/buy/*"}"#, #"{"/": "*", "exclude": true}"#)
  ) { rule, _, findings in
    guard let (message, help) = rule.reasonForNoLinks else { return }
    findings.report(rule.head, message, help: help)
  },
  StatementRule(
    "D149", "dynamic-rules-open-nothing", .warning, "no dynamic rule opens the app",
    "a link that no rule matches does not open the app", source: Evidence.google, each: \.ruleLists,
    wrong: Example.dynamicRules(#"{"/": "/help/*", "exclude": true}"#),
    right: Example.dynamicRules(#"{"/": "/help/*", "exclude": true}"#, #"{"/": "*"}"#)
  ) { list, _, findings in
    guard list.rules.allSatisfy({ $0.excludes || $0.reasonForNoLinks != nil }) else { return }
    findings.report(
      list.value.head, "no rule opens the app", help: #"add {"/": "*"} as the last rule"#)
  },
]

func emptyParts(of member: Member) -> [Value] {
  switch member.key {
  case "/", "#": return member.value.string == "" ? [member.value] : []
  case "?":
    if member.value.kind != .object { return [] }
    let items = Array(member.value.members)
    return items.isEmpty ? [member.value] : items.map(\.value).filter { $0.string == "" }
  default: return []
  }
}

extension StatementList {
  /// The lists of dynamic rules, except those that Android discards.
  fileprivate var ruleLists: [(value: Value, rules: [DynamicRule])] {
    statements.compactMap(\.dynamicComponents).filter { !hasMalformedRules($0) }.map {
      ($0, $0.elements.map(DynamicRule.init))
    }
  }

  fileprivate var dynamicComponents: [Value] { statements.compactMap(\.dynamicComponents) }
  fileprivate var dynamicRules: [DynamicRule] { ruleLists.flatMap(\.rules) }
}

extension DynamicRule {
  fileprivate var head: Range<Int> { range.lowerBound..<(range.lowerBound + 1) }

  /// Why no link can match the rule, and how to change the rule; nil if a link may match the rule.
  fileprivate var reasonForNoLinks: (message: String, help: String)? {
    if isWithoutParts {
      return ("this rule has no path, query or fragment", #"to match every link, write "/": "*""#)
    }
    guard let path else { return nil }
    if path.contains("$(") {
      return ("Android has no variables such as those in `\(path)`", "write a rule for each value")
    }
    switch AndroidPattern(path).tokens.first {
    case .character(let first) where first != "/":
      return (
        "the path `\(path)` does not begin with a slash, but the path of every link does",
        #"write "/": "/\#(path)""#
      )
    default: return nil
    }
  }

  /// Whether the rule matches every link. If so, Android never uses a later rule.
  fileprivate var matchesEveryPath: Bool {
    fragment == nil && query.isEmpty && path.map { AndroidPattern($0).matchesEverything } ?? false
  }

  /// Whether this rule matches every link that a later rule matches. Different paths are compared
  /// only in the simple case: the only `*` of this rule's path is at the end. In all other cases
  /// the result is false.
  fileprivate func covers(_ other: DynamicRule) -> Bool {
    if isWithoutParts || other.isWithoutParts { return false }
    if let fragment, other.fragment != fragment { return false }
    let hasItems = query.allSatisfy { item in
      other.query.contains { $0.name == item.name && $0.pattern == item.pattern }
    }
    guard hasItems else { return false }
    guard let path, path != other.path else { return true }
    let own = AndroidPattern(path).tokens
    guard own.last == .star, !own.dropLast().contains(.star) else { return false }
    let beginning = own.dropLast()
    if beginning.isEmpty { return true }
    guard let rest = other.path.map({ AndroidPattern($0).tokens }), rest.count >= beginning.count
    else { return false }
    return zip(beginning, rest).allSatisfy { $1 != .star && ($0 == .any || $0 == $1) }
  }

  fileprivate var patterns: [String] {
    [path, fragment].compactMap(\.self) + query.map(\.pattern)
  }
}
