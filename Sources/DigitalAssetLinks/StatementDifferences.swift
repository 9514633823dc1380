internal import Bytes
package import Rules

/// Returns the differences that users may notice between two versions of a file. Nil if Android
/// cannot read one of the versions.
///
/// Decisions are compared only for example links, which are made from the patterns of both
/// versions. So some changes may not be found.
package func statementDifferences(
  old: AssetLinksFile, new: AssetLinksFile
) -> [Difference]? {
  guard let before = old.list, let after = new.list else { return nil }
  let (oldLines, newLines) = (before.lines, after.lines)
  var result = oldLines.subtracting(newLines).sorted().map {
    Difference(.appRemoved, service: nil, app: $0)
  }
  result += newLines.subtracting(oldLines).sorted().map {
    Difference(.appAdded, service: nil, app: $0)
  }
  let others = after.linkedApps
  for app in before.linkedApps {
    guard let other = others.first(where: { $0.packageName == app.packageName }) else { continue }
    result += differences(app, other)
  }
  return result
}

extension StatementList {
  /// One line of text for each relation of each statement. The lines do not contain the dynamic
  /// rules.
  fileprivate var lines: Set<String> {
    Set(statements.flatMap(\.lines))
      .union(statements.compactMap { $0.include.map { "include \($0.value)" } })
  }
}

/// Returns the changed decisions about an app's links. Each pair of an old and a new decision is
/// returned once, with the shortest example link that was found.
private func differences(_ old: LinkedApp, _ new: LinkedApp) -> [Difference] {
  if old.rules?.map(\.meaning) == new.rules?.map(\.meaning) { return [] }
  var found: [Difference] = []
  for example in Set(old.examples + new.examples).sorted(by: isShorter) {
    guard let url = try? AndroidURL(example) else { continue }
    let (before, after) = (old.decision(url).outcome, new.decision(url).outcome)
    let isKnown = found.contains { $0.change?.old == before && $0.change?.new == after }
    if before == after || isKnown { continue }
    found.append(
      Difference(
        .ofDecision(from: before, to: after), service: "android", app: old.packageName,
        change: DecisionChange(old: before, new: after, example: example)))
  }
  let unknown = Difference(.notCompared, service: "android", app: old.packageName)
  return found.isEmpty ? [unknown] : found
}

private func isShorter(_ one: String, _ other: String) -> Bool {
  one.utf8.count != other.utf8.count ? one.utf8.count < other.utf8.count : one < other
}

extension DynamicRule {
  /// The conditions and the decision of the rule in a comparable form. Rules with equal values mean
  /// the same.
  fileprivate var meaning: [String] {
    [path ?? "", fragment ?? "", excludes ? "exclude" : ""]
      + query.map { "\($0.name)=\($0.pattern)" }.sorted()
  }

  /// Simple links that match the rule's patterns, and links that are similar to them.
  fileprivate var examples: [String] {
    ["", "x", "xx", "x/x"].flatMap { filling -> [String] in
      let path = textMatching(path ?? "/", filling: filling)
      let link = link(filling: filling)
      return [
        link, link + "#" + textMatching(fragment ?? "*", filling: filling), path + "/", path + "x",
      ]
      .filter { $0.hasPrefix("/") && !$0.hasPrefix("//") }
    }
  }
}

extension LinkedApp {
  fileprivate var examples: [String] {
    let rules = rules ?? []
    // Limit the number of examples, because each example is compared with every rule.
    return rules.prefix(20_000 / max(rules.count, 1)).flatMap(\.examples) + ["/", "/x?x=x#x"]
  }
}

extension DifferenceReport {
  /// Makes the report of the differences between two statement lists. Nil if Android cannot read
  /// one of the files.
  ///
  /// - Parameters:
  ///   - host: The host in the URLs of example links.
  ///   - ignored: The codes of differences to leave out.
  package init?(
    _ old: AssetLinksFile, _ new: AssetLinksFile, host: String?, ignoring ignored: Set<String> = []
  ) {
    guard let found = statementDifferences(old: old, new: new) else { return nil }
    self.init(found, .android, old.source, new.source, host: host, ignoring: ignored)
  }
}
