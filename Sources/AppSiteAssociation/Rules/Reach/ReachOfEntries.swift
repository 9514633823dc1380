internal import Diagnostics
internal import JSON
internal import Rules

/// Which URLs each link rule of a file decides. The answer is computed once for all validation
/// rules that need it.
struct ReachOfEntries: Sendable {
  /// For each entry, which URLs each of its rules decides. Empty for an entry that decides for no
  /// app.
  let entries: [[RuleReach]]
  /// Whether the limit `mostSteps` stopped the work before the results for all rules were known.
  let isUnfinished: Bool

  init(_ association: Association, mostSteps: Int = .max) {
    guard let applinks = association.applinks else {
      (entries, isUnfinished) = ([], false)
      return
    }
    let count = applinks.entries.reduce(0) { $0 + $1.rules.count }
    let usual =
      count <= ReachabilityLimits.handWrittenRules
      ? ReachabilityLimits.fileSteps : ReachabilityLimits.largeFileSteps
    var budget = Budget(operations: min(usual, mostSteps))
    var compiling = ReachabilityLimits.compiling
    // An app uses only the first entry that lists the app.
    let deciding = Set(AppEntries(applinks.entries).entries)
    entries = applinks.entries.enumerated().map { number, entry in
      guard deciding.contains(number) else { return [] }
      let looks = entry.rules.map { QuickLook($0) }
      var known: EntryReachability?
      return entry.rules.enumerated().map { index, rule in
        // Charge for the earlier rules, because the question about a rule concerns all rules before
        // it. So in a list of thousands of rules, the budget is spent before the last rules, and
        // their result is `unknown`.
        budget.spend(index)
        if budget.isSpent { return .unknown }
        if let example = looks.example(decidedBy: index, rule) { return .decides(example) }
        // Compiling patterns is slow, so compile them only when the first rule needs them.
        let reachability =
          known
          ?? EntryReachability(entry.rules, applinks.variables, looks, compiling: &compiling)
        known = reachability
        if let example = reachability.quickExample(decidedBy: index, budget: &budget) {
          return .decides(example)
        }
        return reachability.reach(of: index, budget: &budget)
      }
    }
    isUnfinished = budget.isSpent && mostSteps < usual
  }
}

/// A rule that never decides a URL, because earlier rules decide every URL that the rule matches.
struct CoveredRule {
  enum Kind {
    /// The rule would make a different decision from at least one of the earlier rules.
    case contradicting
    /// The rule opens links, but an earlier exclusion blocks every link.
    case afterCatchAll
    /// The rule is an exclusion, but earlier rules already open the links that it would exclude.
    case lateExclusion
    /// The rule would make the same decision as the earlier rules.
    case redundant
  }

  let rule: Rule
  let earlier: [Rule]
  let example: ExampleURL

  var kind: Kind {
    if rule.isExclusion && !earlier.contains(where: \.isExclusion) { return .lateExclusion }
    if earlier.allSatisfy({ $0.isExclusion == rule.isExclusion }) { return .redundant }
    return earlier.count == 1 && earlier[0].asksForNothing ? .afterCatchAll : .contradicting
  }

  /// A phrase for the earlier rules and their lines, for the middle of a sentence.
  func words(_ file: FileUnderCheck) -> String {
    if earlier.count == 1 {
      return "\(earlier[0].words(file)) on line \(file.line(of: earlier[0].source.range))"
    }
    var lines = earlier.map { String(file.line(of: $0.source.range)) }
    if lines.count > 6 { lines = lines.prefix(5) + ["\(lines.count - 5) more"] }
    return "the rules on lines \(lines.dropLast().joined(separator: ", ")) and \(lines.last ?? "")"
  }
}

extension CoveredRule {
  /// Returns help about an earlier rule that matches more than its author probably intended. Nil if
  /// `acceptsAbsence` is false for all earlier rules.
  func helpForAbsence(_ file: FileUnderCheck) -> String? {
    guard let rule = earlier.first(where: \.acceptsAbsence) else { return nil }
    return absenceHelp(line: file.line(of: rule.source.range))
  }
}

/// Help for a rule that seems to require a part of the URL, but also matches URLs without this
/// part.
func absenceHelp(line: Int) -> String {
  "write `?*` instead of `*` on line \(line): `*` also accepts URLs without the tested item or part"
}

extension FileUnderCheck {
  var coveredRules: [CoveredRule] {
    zip(entries, reach.entries).flatMap { entry, reaches in
      reaches.enumerated().compactMap { index, reach in
        guard case .isCovered(let earlier, let example) = reach else { return nil }
        return CoveredRule(
          rule: entry.rules[index], earlier: earlier.map { entry.rules[$0] }, example: example)
      }
    }
  }
}

extension Rule {
  /// Whether the rule matches every link, because it has no conditions or because all its patterns
  /// are `*` (or `/*` for the path).
  var asksForNothing: Bool {
    effective.patterns.allSatisfy { part, _, pattern in
      pattern.value == "*" || part == .path && pattern.value == "/*"
    }
  }

  /// Whether the rule has a pattern `*` for a query item, a query or a fragment. Because of this
  /// pattern, the rule also matches URLs without the query item, the query or the fragment.
  var acceptsAbsence: Bool {
    effective.patterns.contains { $0.part != .path && isOnlyAsterisks($0.pattern.value) }
  }

  /// The range to underline: of a legacy path, the whole string; of a component, its path or, if it
  /// has no path, its opening bracket.
  var head: Range<Int> { written.path?.range ?? source.head }

  /// The path in backquotes; `the rule` if the rule has no path, another condition or a long path.
  func words(_ file: FileUnderCheck) -> String {
    guard let path = effective.path, effective.query == nil, effective.fragment == nil,
      path.value.utf8.count <= 60
    else { return "the rule" }
    return isExclusion ? "the exclusion of `\(path.value)`" : "`\(path.value)`"
  }
}
