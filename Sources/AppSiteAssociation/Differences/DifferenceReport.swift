package import Diagnostics
package import JSON
internal import Rules

/// Formats the differences of two association files.
package struct DifferenceReport {
  let old: Side
  let new: Side
  private let host: String?
  let differences: [Difference]

  /// One of the two files, used to name its rules.
  struct Side {
    let source: SourceText
    let association: Association
    private let lines: LineIndex
    /// The texts of rules, cached.
    let words = Memo<RuleReference, String>()
    let objects = Memo<RuleReference, String>()

    init(_ document: Document) {
      source = document.source
      lines = LineIndex(document.source.bytes)
      association = Association(document.root)
    }

    func place(of rule: Rule) -> Diagnostic.Place {
      lines.place(of: rule.source.range, in: source)
    }

    func rule(_ reference: RuleReference) -> Rule? {
      association.applinks?.entries[reference.entry].rules[reference.rule]
    }
  }

  /// - Parameter ignored: The codes of differences to ignore.
  package init(
    _ before: Document, _ after: Document, host: String?, ignoring ignored: Set<String> = []
  ) {
    old = Side(before)
    new = Side(after)
    self.host = host
    differences = AppSiteAssociation.differences(old: old.association, new: new.association)
      .filter { !ignored.contains($0.kind.code) }
  }

  package var isSame: Bool { differences.isEmpty }

  /// The worst severity of the differences; nil if there are none.
  package var worst: Diagnostic.Severity? { differences.map(\.kind.severity).max() }

  func url(_ example: ExampleURL) -> String {
    host.map { example.url(host: $0) } ?? example.reference
  }

  // MARK: Text

  /// The maximum number of links shown for one app.
  static let shownChanges = 50

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
    switch difference {
    case .appAdded(let service, _, let change):
      let example = change.map { "; \($0.new.rawValue) for example \(url($0.example))" } ?? ""
      return "\(app): new in \(service)\(example)\n" + rules(change)
    case .appRemoved(let service, _, let change):
      let example = change.map { "; \($0.old.rawValue) for example \(url($0.example))" } ?? ""
      return "\(app): gone from \(service)\(example)\n" + rules(change)
    case .decision(_, let change):
      return "\(app): \(change.old.rawValue) → \(change.new.rawValue), for example "
        + "\(url(change.example))\n" + rules(change)
    case .order(_, let other, let example):
      return
        "\(app): now before \(escapingControls(other)), and both open \(url(example)): where both "
        + "are installed, the first wins\n"
    case .unknown:
      return "\(app): there may be more differences; the rules are too complex to find all\n"
    }
  }

  private func rules(_ change: DecisionChange?) -> String {
    guard let change else { return "" }
    return line("old", change.oldRule, old) + line("new", change.newRule, new)
  }

  private func line(_ name: String, _ reference: RuleReference?, _ side: Side) -> String {
    guard let reference, let rule = side.rule(reference) else { return "  \(name): no rule\n" }
    return "  \(name): "
      + side.words.value(of: reference) {
        let place = side.place(of: rule)
        let written = side.source.excerpt(of: rule.source.range)
        return escapingControls("\(side.source.path):\(place.line):\(place.column): \(written)")
          + "\n"
      }
  }

  // MARK: JSON

  package var json: String {
    jsonObject([
      ("same", isSame ? "true" : "false"),
      ("differences", jsonArray(differences.map(json))),
    ])
  }

  private func json(_ difference: Difference) -> String {
    switch difference {
    case .appAdded(let service, let app, let change):
      object("app_added", service, app, change)
    case .appRemoved(let service, let app, let change):
      object("app_removed", service, app, change)
    case .decision(let app, let change): object("decision", "applinks", app, change)
    case .order(let app, let other, let example):
      jsonObject([
        ("kind", jsonString("order")), ("service", jsonString("applinks")),
        ("app", jsonString(app)), ("before", jsonString(other)),
        ("example", jsonString(url(example))),
      ])
    case .unknown(let app): object("unknown", "applinks", app, nil)
    }
  }

  private func object(
    _ kind: String, _ service: String, _ app: String, _ change: DecisionChange?
  ) -> String {
    var members: [(String, String?)] = [
      ("kind", jsonString(kind)), ("service", jsonString(service)), ("app", jsonString(app)),
    ]
    if let change {
      members += [
        ("old", jsonString(change.old.rawValue)), ("new", jsonString(change.new.rawValue)),
        ("example", jsonString(url(change.example))),
        ("oldRule", json(change.oldRule, old)), ("newRule", json(change.newRule, new)),
      ]
    }
    return jsonObject(members)
  }

  private func json(_ reference: RuleReference?, _ side: Side) -> String? {
    guard let reference, let rule = side.rule(reference) else { return nil }
    return side.objects.value(of: reference) {
      let place = side.place(of: rule)
      return jsonObject([
        ("detail", String(reference.entry)), ("rule", String(rule.index)),
        ("line", String(place.line)), ("column", String(place.column)),
      ])
    }
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
    let mark = difference.kind.severity.mark
    let app = markdownCode(difference.app)
    switch difference {
    case .appAdded(let service, _, let change):
      return row(app, "\(mark) new in \(service)", change)
    case .appRemoved(let service, _, let change):
      return row(app, "\(mark) gone from \(service)", change)
    case .decision(_, let change):
      return row(app, "\(mark) \(change.old.rawValue) → \(change.new.rawValue)", change)
    case .order(_, let other, let example):
      let words = "now before \(markdownCode(other)): where both are installed, the first wins"
      return "| \(app) | \(mark) \(words) | \(markdownCode(url(example))) | | |\n"
    case .unknown:
      return "| \(app) | \(mark) there may be more: the rules are too complex to find all | | | |\n"
    }
  }

  private func row(_ app: String, _ words: String, _ change: DecisionChange?) -> String {
    guard let change else { return "| \(app) | \(words) | | | |\n" }
    let rules = [cell(change.oldRule, old), cell(change.newRule, new)].joined(separator: " | ")
    return "| \(app) | \(words) | \(markdownCode(url(change.example))) | \(rules) |\n"
  }

  private func cell(_ reference: RuleReference?, _ side: Side) -> String {
    guard let reference, let rule = side.rule(reference) else { return "none" }
    return
      "line \(side.place(of: rule).line): \(markdownCode(side.source.excerpt(of: rule.source.range)))"
  }
}
