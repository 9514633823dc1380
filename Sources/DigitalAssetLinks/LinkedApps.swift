internal import JSON
package import Rules

extension LinkedApp.Outcome {
  package var word: LinkOutcome {
    switch self {
    case .opensAll, .opens: .opens
    case .blocked: .blocked
    case .browser: .browser
    }
  }

  /// The index of the deciding rule.
  package var rule: Int? {
    switch self {
    case .opens(let index), .blocked(let index): index
    case .opensAll, .browser: nil
    }
  }
}

extension StatementList {
  /// The fingerprints that an app has under a relation, as Android compares them, without those
  /// that no app can have; nil if no statement that Android takes names the app with the relation.
  package func fingerprints(of packageName: String, under relation: AppRelation) -> [String]? {
    let targets = statements(about: packageName, relation).compactMap(\.target)
    if targets.isEmpty { return nil }
    return targets.flatMap(\.fingerprints).map(\.value)
      .filter { [nil, .lowerCase, .debugKey].contains(FingerprintFault(of: $0)) }
  }

  /// The range of the first statement that gives an app with one of these fingerprints the right.
  package func place(
    of packageName: String, under relation: AppRelation, with fingerprints: [String]
  ) -> Range<Int>? {
    statements(about: packageName, relation).first { statement in
      statement.target?.fingerprints.contains { fingerprints.contains($0.value) } ?? false
    }?.source.range
  }

  private func statements(about packageName: String, _ relation: AppRelation) -> [Statement] {
    wellFormed.filter { statement in
      statement.target?.kind == .app && statement.target?.packageName?.value == packageName
        && statement.has(relation.name)
    }
  }

  /// The packages that the list names.
  package var packages: Set<String> { Set(apps.compactMap { $0.packageName?.value }) }
}

/// What a statement lets an app do.
package enum AppRelation: Sendable, CaseIterable {
  case openLinks, shareCredentials

  /// The relation's name in `assetlinks.json`.
  package var name: String {
    switch self {
    case .openLinks: KnownRelation.handleAllURLs
    case .shareCredentials: KnownRelation.getLoginCreds
    }
  }
}
