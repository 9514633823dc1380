internal import Diagnostics
internal import JSON
internal import Rules

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
    let mark = sign(difference.kind.severity)
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

  private func sign(_ severity: Diagnostic.Severity) -> String {
    switch severity {
    case .error: "❌"
    case .warning: "⚠️"
    case .note: "➕"
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
