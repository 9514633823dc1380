package import Diagnostics

/// Writes the differences of two files, Apple's or Android's, as text, JSON and Markdown.
package struct DifferenceReport {
  private let differences: [Difference]
  private let platform: LinkPlatform
  private let old: ShownRules
  private let new: ShownRules
  private let host: String?

  /// - Parameters:
  ///   - host: The host for the URLs of examples.
  ///   - ignored: The codes of differences to ignore.
  package init(
    _ differences: [Difference], _ platform: LinkPlatform, _ old: SourceText, _ new: SourceText,
    host: String?, ignoring ignored: Set<String>
  ) {
    self.differences = differences.filter { !ignored.contains($0.kind.code) }
    self.platform = platform
    self.old = ShownRules(of: old)
    self.new = ShownRules(of: new)
    self.host = host
  }

  package var isSame: Bool { differences.isEmpty }

  /// The worst severity of the differences; nil if there are none.
  package var worst: Diagnostic.Severity? { differences.map(\.kind.severity).max() }

  private func url(_ example: String) -> String {
    host.map { "https://\($0)\(example)" } ?? example
  }

  // MARK: The differences as text

  /// The maximum number of differences that a report shows: for each app in the text form, and in
  /// total in the Markdown form.
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
        text += "\(escapingInvisible(difference.app)): more differences; --json lists all\n"
      }
    }
    return text
  }

  private func text(_ difference: Difference) -> String {
    let rules = platform == .apple ? rules(difference.change) : ""
    return escapingInvisible(line(difference)) + "\n" + rules
  }

  /// Returns the differences as diagnostics. `path` is the path of the new file.
  package func diagnostics(at path: String) -> [Diagnostic] {
    differences.map { Diagnostic($0.kind, line($0), at: .init(path: path)) }
  }

  /// One line for each difference, without the deciding rules.
  package var lines: [String] { differences.map(line) }

  private func line(_ difference: Difference) -> String {
    let words = words(difference) { $0 }
    if difference.service == nil { return "\(words): \(difference.app)" }
    let url = difference.example.map(url) ?? ""
    let end =
      switch difference.kind {
      case .appAdded: difference.change.map { "; \($0.new.rawValue) for example \(url)" } ?? ""
      case .appRemoved: difference.change.map { "; \($0.old.rawValue) for example \(url)" } ?? ""
      case .appsSwapped:
        ", and both open \(url): if both apps are installed, the first app in the file opens"
      case .notCompared where platform == .android:
        ", but aasa found no link with a changed decision"
      case .notCompared: "; the rules are too complex for aasa to find all of them"
      default: ", for example \(url)"
      }
    return "\(difference.app): \(words)\(end)"
  }

  /// Returns the change in words, without its example.
  ///
  /// - Parameter name: Formats the identifier of an app.
  private func words(_ difference: Difference, name: (String) -> String) -> String {
    switch difference.kind {
    case .appAdded: "new" + (difference.service.map { " in \($0)" } ?? "")
    case .appRemoved: "gone" + (difference.service.map { " from \($0)" } ?? "")
    case .appsSwapped: "now before \(name(difference.other ?? ""))"
    case .notCompared:
      platform == .apple ? "there may be more differences" : "changed dynamic rules"
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

  // MARK: The differences as JSON

  package var json: JSONTree {
    ["same": isSame.json, "differences": .array(differences.map(json))]
  }

  private func json(_ difference: Difference) -> JSONTree {
    let subject = difference.service == nil ? "statement" : "app"
    let kind =
      switch difference.kind {
      case .appAdded: "\(subject)_added"
      case .appRemoved: "\(subject)_removed"
      case .appsSwapped: "order"
      case .notCompared: "unknown"
      default: "decision"
      }
    let change = difference.change
    return [
      "kind": kind.json, "service": difference.service?.json, subject: difference.app.json,
      "before": difference.other?.json, "old": change?.old.rawValue.json,
      "new": change?.new.rawValue.json, "example": difference.example.map(url)?.json,
      "oldRule": change?.oldRule.map { json($0, old) },
      "newRule": change?.newRule.map { json($0, new) },
    ]
  }

  private func json(_ rule: LinkRule, _ rules: ShownRules) -> JSONTree {
    JSONTree([("detail", rule.entry?.index.json)] + rules[rule].members)
  }
}

/// The differences as a Markdown table, for a pull request.
extension DifferenceReport {
  package var markdown: String {
    if isSame { return "The files mean the same for users.\n" }
    if platform == .android {
      return differences.reduce(into: "| change |\n|---|\n") { table, difference in
        table += "| \(difference.kind.severity.mark) \(markdownCode(line(difference))) |\n"
      }
    }
    var text = "| app | change | for example | old rule | new rule |\n|---|---|---|---|---|\n"
    for difference in differences.prefix(Self.shownChanges) { text += row(difference) }
    let rest = differences.count - Self.shownChanges
    return rest > 0 ? text + "\nAnd \(rest) more; `aasa diff` lists all.\n" : text
  }

  private func row(_ difference: Difference) -> String {
    let end =
      switch difference.kind {
      case .appsSwapped: ": if both apps are installed, the first app in the file opens"
      case .notCompared: ": the rules are too complex for aasa to find all of them"
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
