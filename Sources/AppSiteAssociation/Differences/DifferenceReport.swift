package import Diagnostics
package import JSON
internal import Rules

/// Formats the differences of two association files.
package struct DifferenceReport {
  private let old: ShownRules
  private let new: ShownRules
  private let host: String?
  private let differences: [Difference]

  /// - Parameter ignored: The codes of differences to ignore.
  package init(
    _ before: Document, _ after: Document, host: String?, ignoring ignored: Set<String> = []
  ) {
    old = ShownRules(of: before.source)
    new = ShownRules(of: after.source)
    self.host = host
    differences = AppSiteAssociation.differences(
      old: Association(before.root), new: Association(after.root)
    ).filter { !ignored.contains($0.kind.code) }
  }

  package var isSame: Bool { differences.isEmpty }

  /// The worst severity of the differences; nil if there are none.
  package var worst: Diagnostic.Severity? { differences.map(\.kind.severity).max() }

  private func url(_ example: ExampleURL) -> String {
    host.map { example.url(host: $0) } ?? example.reference
  }

  // MARK: Text

  /// The maximum number of links shown for one app.
  private static let shownChanges = 50

  package var text: String {
    if isSame { return "the files mean the same for users\n" }
    var text = ""
    var count = 0
    for (index, difference) in differences.enumerated() {
      let isSameApp = index > 0 && differences[index - 1].app == difference.app
      count = isSameApp ? count + 1 : 0
      if count < Self.shownChanges {
        text += self.text(difference)
      } else if count == Self.shownChanges {
        text += "\(escapingControls(difference.app)): and more; --json has all\n"
      }
    }
    return text
  }

  private func text(_ difference: Difference) -> String {
    let app = escapingControls(difference.app)
    let words = words(difference, name: escapingControls)
    let url = difference.example.map(url) ?? ""
    let end =
      switch difference.kind {
      case .appAdded: difference.change.map { "; \($0.new.rawValue) for example \(url)" } ?? ""
      case .appRemoved: difference.change.map { "; \($0.old.rawValue) for example \(url)" } ?? ""
      case .appsSwapped: ", and both open \(url): where both are installed, the first wins"
      case .notCompared: " differences; the rules are too complex to find all"
      default: ", for example \(url)"
      }
    return "\(app): \(words)\(end)\n" + rules(difference.change)
  }

  /// Returns the change in words, without its example.
  ///
  /// - Parameter name: Formats an app's name.
  private func words(_ difference: Difference, name: (String) -> String) -> String {
    switch difference.kind {
    case .appAdded: "new in \(difference.service)"
    case .appRemoved: "gone from \(difference.service)"
    case .appsSwapped: "now before \(name(difference.other ?? ""))"
    case .notCompared: "there may be more"
    default: difference.change.map { "\($0.old.rawValue) → \($0.new.rawValue)" } ?? ""
    }
  }

  private func rules(_ change: DecisionChange?) -> String {
    guard let change else { return "" }
    return line("old", change.oldRule, old) + line("new", change.newRule, new)
  }

  private func line(_ name: String, _ rule: LinkRule?, _ rules: ShownRules) -> String {
    let words = rule.map { "\(rules[$0].name): \(rules[$0].text)" }
    return "  \(name): \(words ?? "no rule")\n"
  }

  // MARK: JSON

  package var json: String {
    jsonObject([
      ("same", isSame ? "true" : "false"),
      ("differences", jsonArray(differences.map(json))),
    ])
  }

  private func json(_ difference: Difference) -> String {
    let kind =
      switch difference.kind {
      case .appAdded: "app_added"
      case .appRemoved: "app_removed"
      case .appsSwapped: "order"
      case .notCompared: "unknown"
      default: "decision"
      }
    let change = difference.change
    return jsonObject([
      ("kind", jsonString(kind)), ("service", jsonString(difference.service)),
      ("app", jsonString(difference.app)), ("before", difference.other.map(jsonString)),
      ("old", change.map { jsonString($0.old.rawValue) }),
      ("new", change.map { jsonString($0.new.rawValue) }),
      ("example", difference.example.map { jsonString(url($0)) }),
      ("oldRule", change?.oldRule.map { json($0, old) }),
      ("newRule", change?.newRule.map { json($0, new) }),
    ])
  }

  private func json(_ rule: LinkRule, _ rules: ShownRules) -> String {
    jsonObject([("detail", rule.entry.map { String($0.index) })] + rules[rule].members)
  }
}

/// The differences as a Markdown table, for a pull request.
extension DifferenceReport {
  package var markdown: String {
    if isSame { return "The files mean the same for users.\n" }
    var text = "| app | change | for example | old rule | new rule |\n|---|---|---|---|---|\n"
    for difference in differences.prefix(Self.shownChanges) { text += row(difference) }
    let rest = differences.count - Self.shownChanges
    return rest > 0 ? text + "\nAnd \(rest) more; `aasa diff` has all.\n" : text
  }

  private func row(_ difference: Difference) -> String {
    let end =
      switch difference.kind {
      case .appsSwapped: ": where both are installed, the first wins"
      case .notCompared: ": the rules are too complex to find all"
      default: ""
      }
    let words = words(difference, name: markdownCode) + end
    var cells = [markdownCode(difference.app), "\(difference.kind.severity.mark) \(words)"]
    cells.append(difference.example.map { markdownCode(url($0)) } ?? "")
    let change = difference.change
    // Append the cells one by one, because one literal took the compiler two seconds.
    cells.append(change.map { cell($0.oldRule, old) } ?? "")
    cells.append(change.map { cell($0.newRule, new) } ?? "")
    return "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined() + "\n"
  }

  private func cell(_ rule: LinkRule?, _ rules: ShownRules) -> String {
    rule.map { "line \(rules[$0].line): \(markdownCode(rules.source.excerpt(of: $0.range)))" }
      ?? "none"
  }
}
