package import Diagnostics
internal import JSON
internal import Rules

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
