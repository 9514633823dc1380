package import Diagnostics

/// A report on one file's decisions about URLs, as text and as JSON.
package struct LinkReport {
  private let file: any LinkFile
  private let apps: [String]
  private let rules: ShownRules

  /// - Parameter app: The app to report on; nil for all apps in the file.
  package init(_ file: some LinkFile, app: String? = nil) {
    self.file = file
    rules = ShownRules(of: file.source)
    apps = app.map { [$0] } ?? file.apps
  }

  /// The answer about one URL.
  package struct Answer {
    package let url: String
    /// Why the text is not a URL; nil if it is a URL.
    package let fault: String?
    /// For each app, the decision about the URL.
    package let outcomes: [(app: String, outcome: LinkOutcome)]
    /// The decisions and reasons as lines of text.
    package let text: String
    /// The decisions as a JSON array.
    package let apps: JSONTree
    /// If apps of several entries can open the URL, the app that opens the URL when all of these
    /// apps are installed. Nil if the apps of at most one entry can open the URL.
    fileprivate let first: String?

    package var opens: Bool { outcomes.contains { $0.outcome == .opens } }
    package var error: String? { fault.map { escapingInvisible("error: \(url): \($0)") } }
    package var heading: String { escapingInvisible(url) + "\n" }

    package var json: JSONTree {
      if let fault { return ["url": url.json, "error": fault.json] }
      return ["url": url.json, "apps": apps, "first": first?.json]
    }
  }

  package func answer(
    _ url: String, explaining: Bool
  ) throws(PatternsTooLarge) -> Answer {
    do throws(URLFault) {
      let bytes = Array(url.utf8)
      _ = try URLParts(bytes.span)
    } catch {
      return Answer(
        url: url, fault: error.message, outcomes: [], text: "  not matched\n",
        apps: [], first: nil)
    }
    var text = apps.isEmpty ? "  browser: the file lists no app for links\n" : ""
    var objects: [JSONTree] = []
    let decisions = file.decide(url, for: apps)
    let remarks = file.remarks(on: url, for: apps)
    for (app, (decision, remark)) in zip(apps, zip(decisions, remarks)) {
      let trials = explaining ? try file.trials(of: url, app: app) : []
      text += "  \(label)\(escapingInvisible(app)): \(verdict(decision))\n"
      for trial in trials {
        let mark = trial.isMatch ? "matched" : "no match"
        text += "    \(rules[trial.rule].name): \(mark): \(escapingInvisible(trial.sentence))\n"
      }
      if let remark { text += "    note: \(remark)\n" }
      // Convert each object to text immediately to save memory, because a file may have thousands
      // of apps.
      objects.append(.token(json(app, decision, trials, remark).minified))
    }
    let winner = winner(decisions)
    if let winner {
      text +=
        "  if several of these apps are installed, \(escapingInvisible(winner)) opens: "
        + "its entry comes first\n"
    }
    return Answer(
      url: url, fault: nil, outcomes: Array(zip(apps, decisions.map(\.outcome))), text: text,
      apps: .array(objects), first: winner)
  }

  private var label: String { file.platform == .android ? "Android " : "" }

  /// If apps of several entries open the URL, the app whose entry comes first in the file. Nil if
  /// the apps of at most one entry open the URL.
  private func winner(_ decisions: [LinkDecision]) -> String? {
    let openers = zip(apps, decisions).compactMap { app, decision in
      decision.outcome == .opens ? decision.rule?.entry.map { (app: app, entry: $0.index) } : nil
    }
    guard let first = openers.min(by: { $0.entry < $1.entry }),
      openers.contains(where: { $0.entry != first.entry })
    else { return nil }
    return first.app
  }

  private func verdict(_ decision: LinkDecision) -> String {
    guard let rule = decision.rule else {
      return "\(decision.outcome.rawValue): \(decision.reason)"
    }
    let permits = decision.outcome == .opens ? "this file permits it, " : ""
    let shown = rules[rule]
    return "\(decision.outcome.rawValue): \(permits)by \(shown.name) \(shown.text)"
  }

  // MARK: The answers as JSON

  private func json(
    _ app: String, _ decision: LinkDecision, _ trials: [LinkTrial], _ remark: String?
  ) -> JSONTree {
    let rows = trials.map { trial in
      JSONTree(
        members(of: trial.rule) + [
          ("matched", trial.isMatch.json), ("explanation", trial.sentence.json),
        ])
    }
    return JSONTree(
      [("app", app.json), ("decision", decision.outcome.matchWord.json)]
        + (decision.rule.map(members) ?? [("reason", decision.reason.json)])
        + [("note", remark?.json), ("trials", rows.isEmpty ? nil : .array(rows))])
  }

  private func members(of rule: LinkRule) -> [(String, JSONTree?)] {
    [("detail", rule.entry?.name)] + rules[rule].members
  }
}

extension LinkOutcome {
  /// The outcome's name in JSON.
  fileprivate var matchWord: String {
    switch self {
    case .opens: "match"
    case .blocked: "exclude"
    case .browser: "no_match"
    }
  }
}

/// The rules of a file in the form in which reports show them. Each rule is formatted only once,
/// because thousands of apps in a file may have the same deciding rule.
package final class ShownRules {
  package struct Shown {
    package let line: Int
    /// The position of the rule, such as `site.json:12:9`.
    package let name: String
    /// The rule as written in the file, on one line.
    package let text: String
    /// The index, line and column of the rule, as members of a JSON object.
    package let members: [(String, JSONTree?)]
  }

  package let source: SourceText
  private let lines: LineIndex
  private var known: [Range<Int>: Shown] = [:]

  package init(of source: SourceText) {
    self.source = source
    lines = LineIndex(source.bytes)
  }

  package subscript(rule: LinkRule) -> Shown {
    if let shown = known[rule.range] { return shown }
    let place = lines.place(of: rule.range, in: source)
    let shown = Shown(
      line: place.line,
      name: escapingInvisible("\(source.path):\(place.line):\(place.column)"),
      text: escapingInvisible(source.excerpt(of: rule.range)),
      members: [
        ("rule", rule.index.json), ("line", place.line.json), ("column", place.column.json),
      ])
    known[rule.range] = shown
    return shown
  }
}
