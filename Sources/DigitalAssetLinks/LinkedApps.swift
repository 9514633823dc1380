package import Diagnostics
package import Rules

extension LinkedApp.Outcome {
  package var word: LinkOutcome {
    switch self {
    case .opensAll, .opens: .opens
    case .blocked: .blocked
    case .browser: .browser
    }
  }

  /// The index of the rule that decides.
  package var rule: Int? {
    switch self {
    case .opens(let index), .blocked(let index): index
    case .opensAll, .browser: nil
    }
  }
}

extension LinkedApp {
  /// Why it is so, with the place of the rule.
  package func reason(_ outcome: Outcome, in source: SourceText) -> String {
    if let rule = outcome.rule.flatMap({ rules?[$0] }) {
      let place = source.place(of: rule.range)
      return "by \(source.path):\(place.line):\(place.column) \(rule.text)"
    }
    guard let count = rules?.count else {
      return "there are no dynamic rules, so its manifest decides"
    }
    return count == 1
      ? "its only dynamic rule does not match" : "none of its \(count) dynamic rules matches"
  }
}

extension StatementList {
  /// The fingerprints with which an app may open links, without those that no app can have; nil if
  /// no statement names it.
  package func fingerprints(ofLinkedApp packageName: String) -> [String]? {
    let targets = statements.filter { statement in
      statement.target?.kind == .app && statement.target?.packageName?.value == packageName
        && statement.relations.contains { $0.value == KnownRelation.handleAllURLs }
    }.compactMap(\.target)
    if targets.isEmpty { return nil }
    return targets.flatMap(\.fingerprints).map(\.value)
      .filter { [nil, .lowerCase, .debugKey].contains(FingerprintFault(of: $0)) }
      .map(normalizedFingerprint)
  }
}
