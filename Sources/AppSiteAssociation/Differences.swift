package import Diagnostics
package import JSON
package import Rules

/// Returns what changes for users when the new file replaces the old file. It does not matter if
/// the files differ only in the order of keys, white space, comments, or a notation with the same
/// meaning. An app that has link rules in neither file has no changes of links.
///
/// Changes of links come first, sorted by app: first the apps of the new file in the order of that
/// file, then the removed apps. Changes of other services follow.
///
/// - Parameter budget: The maximum work for the comparison of all apps together; see
///   `ReachabilityLimits`.
package func differences(
  old: Association, new: Association,
  budget: Budget = Budget(operations: ReachabilityLimits.differenceSteps)
) -> [Difference] {
  var comparison = LinkComparison(old, new, budget)
  var result = comparison.differences() + orderChanges(old, new)
  for name in Association.serviceNames where name != "applinks" {
    let before = unique(old.apps(of: name))
    let after = unique(new.apps(of: name))
    let (known, kept) = (Set(before.map(ExactText.init)), Set(after.map(ExactText.init)))
    result += after.filter { !known.contains(ExactText($0)) }
      .map { Difference(.appAdded, service: name, app: $0) }
    result += before.filter { !kept.contains(ExactText($0)) }
      .map { Difference(.appRemoved, service: name, app: $0) }
  }
  return result
}

/// Finds pairs of apps that open the same link and whose entries have changed their order in the
/// new file. The order matters, because Apple's devices open the link in the app whose entry comes
/// first.
private func orderChanges(_ old: Association, _ new: Association) -> [Difference] {
  let before = AppEntries(old.entries)
  let shared = sharedLinks(of: old, ReachOfEntries(old).entries)
  if shared.isEmpty { return [] }
  let entries = new.entries
  return sharedLinks(of: new, ReachOfEntries(new).entries).compactMap { pair in
    for winner in entries[pair.first].appIdentifiers.map(\.value) {
      for loser in entries[pair.second].appIdentifiers.map(\.value) {
        guard let last = before[winner], let first = before[loser], first < last,
          shared.contains(where: { $0.first == first && $0.second == last })
        else { continue }
        return Difference(
          .appsSwapped, service: "applinks", app: winner, other: loser,
          example: pair.example.reference)
      }
    }
    return nil
  }
}

extension DifferenceReport {
  /// Compares two association files.
  ///
  /// - Parameters:
  ///   - host: The host for the URLs of examples.
  ///   - ignored: The codes of differences to ignore.
  package init(
    _ old: Document, _ new: Document, host: String?, ignoring ignored: Set<String> = []
  ) {
    self.init(
      AppSiteAssociation.differences(old: Association(old.root), new: Association(new.root)),
      .apple, old.source, new.source, host: host, ignoring: ignored)
  }
}

private func unique(_ apps: [String]) -> [String] {
  var seen: Set<ExactText> = []
  return apps.filter { seen.insert(ExactText($0)).inserted }
}

/// Compares the links of all apps.
private struct LinkComparison {
  private struct EntryPair: Hashable {
    let old: Int?
    let new: Int?
  }

  private struct Changes {
    var all: [DecisionChange] = []
    var isComplete = true

    /// Returns a change whose link opens the app, in the old or the new file: `outcome` selects the
    /// file. If no change has such a link, returns the change of a blocked link. Nil if there are
    /// no changes, because all links stay in the browser.
    func best(_ outcome: KeyPath<DecisionChange, LinkOutcome>) -> DecisionChange? {
      all.first { $0[keyPath: outcome] == .opens } ?? all.first
    }
  }

  private var budget: Budget
  private var compiling = ReachabilityLimits.compiling
  private let old: AppEntries
  private let new: AppEntries
  private let variables: (old: SubstitutionVariables, new: SubstitutionVariables)
  /// A cache of the changes between pairs of an old and a new entry. If several apps have the same
  /// pair of entries, this pair is compared only once.
  private var known: [EntryPair: Changes] = [:]

  init(_ old: Association, _ new: Association, _ budget: Budget) {
    self.budget = budget
    self.old = AppEntries(old.entries)
    self.new = AppEntries(new.entries)
    variables = (old.variables, new.variables)
  }

  mutating func differences() -> [Difference] {
    var result: [Difference] = []
    for app in new.apps + old.apps.filter({ new[$0] == nil }) {
      let pair = EntryPair(old: old[app], new: new[app])
      let changes = changes(pair)
      let found =
        switch (pair.old, pair.new) {
        case (nil, _): [changes.best(\.new)].compactMap(\.self)
        case (_, nil): [changes.best(\.old)].compactMap(\.self)
        default: changes.all
        }
      result += found.map { change in
        let kind: Kind =
          pair.old == nil
          ? .appAdded
          : pair.new == nil ? .appRemoved : .ofDecision(from: change.old, to: change.new)
        return Difference(kind, service: "applinks", app: app, change: change)
      }
      if !changes.isComplete {
        result.append(Difference(.notCompared, service: "applinks", app: app))
      }
    }
    return result
  }

  private mutating func changes(_ pair: EntryPair) -> Changes {
    if let changes = known[pair] { return changes }
    var compiled = CompiledRules(budget: compiling, of: ReachabilityLimits.patterns)
    let first = pair.old.map { compiled.append(old.all[$0].rules, variables.old) } ?? 0..<0
    let start = first.upperBound
    let second = pair.new.map { compiled.append(new.all[$0].rules, variables.new) } ?? start..<start
    compiling = compiled.budget
    let changes = changes(pair, compiled, first, second)
    known[pair] = changes
    return changes
  }

  private mutating func changes(
    _ pair: EntryPair, _ compiled: CompiledRules, _ first: Range<Int>, _ second: Range<Int>
  ) -> Changes {
    let rules = ComparedRules(compiled)
    if rules.isSame(RuleList(rules: Array(first)), RuleList(rules: Array(second)), from: .path) {
      return Changes()
    }
    if compiled.rules.contains(where: \.isTooLarge) { return Changes(isComplete: false) }
    var search = Search(rules, .differences, budget: budget)
    search.run(Array(first), Array(second))
    budget = search.budget
    let all = search.findings.map { finding in
      let (before, after) = (pair.old ?? 0, pair.new ?? 0)
      return DecisionChange(
        old: rules.outcome(finding.first), new: rules.outcome(finding.second),
        oldRule: finding.first.map { old.all[before].link($0, at: before) },
        newRule: finding.second.map { new.all[after].link($0 - first.count, at: after) },
        example: finding.example.reference)
    }
    return Changes(all: all, isComplete: !search.isIncomplete)
  }
}
