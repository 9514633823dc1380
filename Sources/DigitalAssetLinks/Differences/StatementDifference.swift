internal import Bytes
package import Diagnostics
internal import JSON
package import Rules

/// A change for users when one list of statements replaces another.
package enum StatementDifference: Sendable, Equatable {
  /// A statement, in words, that only one of the lists contains.
  case statement(String, isNew: Bool)
  /// Links for which the outcome changed on Android 15 and later, because the app's dynamic rules
  /// changed.
  case decision(app: String, old: LinkOutcome, new: LinkOutcome, example: String)
  /// The dynamic rules of an app changed, but no affected link was found.
  case unknown(app: String)

  package var kind: Kind {
    switch self {
    case .statement(_, let isNew): isNew ? .appAdded : .appRemoved
    case .decision(_, let old, let new, _): .ofDecision(from: old, to: new)
    case .unknown: .notCompared
    }
  }
}

/// Returns the changes for users; nil if Android cannot read one of the files.
///
/// Example links come from the patterns of both lists, so some changes may go unnoticed.
package func statementDifferences(
  old: AssetLinksFile, new: AssetLinksFile
) -> [StatementDifference]? {
  guard let before = old.list, let after = new.list else { return nil }
  let (oldLines, newLines) = (before.lines, after.lines)
  var result = oldLines.subtracting(newLines).sorted().map {
    StatementDifference.statement($0, isNew: false)
  }
  result += newLines.subtracting(oldLines).sorted().map { .statement($0, isNew: true) }
  let others = after.linkedApps
  for app in before.linkedApps {
    guard let other = others.first(where: { $0.packageName == app.packageName }) else { continue }
    result += differences(app, other)
  }
  return result
}

extension StatementList {
  /// Each statement as a line, without dynamic rules.
  fileprivate var lines: Set<String> {
    Set(statements.flatMap(\.lines))
      .union(statements.compactMap { $0.include.map { "include \($0.value)" } })
  }
}

/// Returns the changes of outcomes without duplicates, each with a shortest example.
private func differences(_ old: LinkedApp, _ new: LinkedApp) -> [StatementDifference] {
  if old.rules?.map(\.meaning) == new.rules?.map(\.meaning) { return [] }
  var found: [StatementDifference] = []
  for example in Set(old.examples + new.examples).sorted(by: isShorter) {
    guard let url = try? AndroidURL(example) else { continue }
    let (before, after) = (old.decision(url).outcome, new.decision(url).outcome)
    let isKnown = found.contains {
      if case .decision(_, before, after, _) = $0 { true } else { false }
    }
    if before == after || isKnown { continue }
    found.append(.decision(app: old.packageName, old: before, new: after, example: example))
  }
  return found.isEmpty ? [.unknown(app: old.packageName)] : found
}

private func isShorter(_ one: String, _ other: String) -> Bool {
  one.utf8.count != other.utf8.count ? one.utf8.count < other.utf8.count : one < other
}

extension DynamicRule {
  /// A key that is equal for rules with the same effect.
  fileprivate var meaning: [String] {
    [path ?? "", fragment ?? "", excludes ? "exclude" : ""]
      + query.map { "\($0.name)=\($0.pattern)" }.sorted()
  }

  /// Simple links that match the patterns, and similar links.
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
    // Limits the examples, because each is compared with every rule.
    return rules.prefix(20_000 / max(rules.count, 1)).flatMap(\.examples) + ["/", "/x?x=x#x"]
  }
}

/// Formats the differences between two statement lists.
package struct StatementReport {
  package let differences: [StatementDifference]
  private let host: String?

  /// Nil if Android cannot read one of the files.
  ///
  /// - Parameters:
  ///   - host: The host for the URLs of examples.
  ///   - ignored: The codes of differences to ignore.
  package init?(
    old: AssetLinksFile, new: AssetLinksFile, host: String?, ignoring ignored: Set<String> = []
  ) {
    guard let found = statementDifferences(old: old, new: new) else { return nil }
    differences = found.filter { !ignored.contains($0.kind.code) }
    self.host = host
  }

  package var isSame: Bool { differences.isEmpty }

  /// The worst severity of the differences; nil if there are none.
  package var worst: Diagnostic.Severity? { differences.map(\.kind.severity).max() }

  /// One line for each difference.
  package var lines: [String] {
    differences.map { difference in
      switch difference {
      case .statement(let text, let isNew): "\(isNew ? "new" : "gone"): \(text)"
      case .decision(let app, let old, let new, let example):
        "\(app): \(old.rawValue) → \(new.rawValue), for example \(url(example))"
      case .unknown(let app):
        "\(app): other dynamic rules, and no link was found that they decide otherwise"
      }
    }
  }

  package var text: String {
    if isSame { return "the files mean the same for users\n" }
    return lines.map { escapingControls($0) + "\n" }.joined()
  }

  package var markdown: String {
    if isSame { return "The files mean the same for users.\n" }
    return "| change |\n|---|\n"
      + zip(differences, lines).map { difference, line in
        "| \(difference.kind.severity.mark) \(markdownCode(line)) |\n"
      }.joined()
  }

  package var json: String {
    jsonObject([
      ("same", isSame ? "true" : "false"), ("differences", jsonArray(differences.map(json))),
    ])
  }

  private func json(_ difference: StatementDifference) -> String {
    switch difference {
    case .statement(let text, let isNew):
      jsonObject([
        ("kind", jsonString(isNew ? "statement_added" : "statement_removed")),
        ("statement", jsonString(text)),
      ])
    case .decision(let app, let old, let new, let example):
      jsonObject([
        ("kind", jsonString("decision")), ("service", jsonString("android")),
        ("app", jsonString(app)), ("old", jsonString(old.rawValue)),
        ("new", jsonString(new.rawValue)), ("example", jsonString(url(example))),
      ])
    case .unknown(let app):
      jsonObject([
        ("kind", jsonString("unknown")), ("service", jsonString("android")),
        ("app", jsonString(app)),
      ])
    }
  }

  private func url(_ example: String) -> String {
    host.map { "https://\($0)\(example)" } ?? example
  }
}
