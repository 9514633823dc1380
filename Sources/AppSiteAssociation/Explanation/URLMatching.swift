internal import Diagnostics
package import JSON
package import Rules

/// The decisions of a file on some URLs.
package struct MatchResults {
  package let text: String
  /// The members of the object that is printed as JSON.
  package let members: [(String, String?)]
  /// The decisions of each app, one URL after the other.
  package let outcomes: [(app: String, outcome: LinkOutcome)]
  package let errors: [String]
  package let exitCode: Int32

  package var json: String { jsonObject(members) }
}

/// Matches URLs against one file and formats the results.
package struct URLMatching {
  private let source: SourceText
  private let association: Association
  private let matcher: Matcher
  private let domain: Domain?
  private let apps: [String]
  /// The places of deciding rules.
  private let places = Memo<RuleReference, Diagnostic.Place>()
  private let texts = Memo<RuleReference, String>()

  package init(_ document: Document, domain: Domain?, app: String?) throws(PatternsTooLarge) {
    source = document.source
    association = Association(document.root)
    matcher = try Matcher(association)
    self.domain = domain
    apps = app.map { [$0] } ?? matcher.appIdentifiers
  }

  package func results(
    _ urls: [String], explaining: Bool
  ) throws(PatternsTooLarge) -> MatchResults {
    var (text, json, errors) = ("", [] as [String], [] as [String])
    var opens = false
    var outcomes: [(app: String, outcome: LinkOutcome)] = []
    for url in urls {
      text += escapingControls(url) + "\n"
      if let fault = fault(url) {
        errors.append(escapingControls("error: \(url): \(fault.message)"))
        text += "  not matched\n"
        json.append(
          jsonObject([("url", jsonString(url)), ("error", jsonString(fault.message))]))
        continue
      }
      if apps.isEmpty { text += "  browser: the file names no app for links\n" }
      var objects: [String] = []
      var openers: [(app: String, entry: Int)] = []
      for app in apps {
        let outcome = try outcome(url, app, explaining: explaining)
        if case .match(let reference) = outcome.explanation.decision {
          opens = true
          openers.append((app, reference.entry))
        }
        outcomes.append((app, LinkOutcome(outcome.explanation.decision)))
        text += self.text(outcome)
        objects.append(self.json(outcome))
      }
      let winner = winner(openers)
      if let winner {
        text +=
          "  where several of these apps are installed, \(escapingControls(winner)) opens: "
          + "its entry stands first\n"
      }
      json.append(
        jsonObject([
          ("url", jsonString(url)), ("apps", jsonArray(objects)),
          ("first", winner.map(jsonString)),
        ]))
    }
    let code = errors.isEmpty ? (opens ? 0 : 1) : 2
    return MatchResults(
      text: text,
      members: [("file", jsonString(source.path)), ("urls", jsonArray(json))],
      outcomes: outcomes, errors: errors, exitCode: Int32(code))
  }

  /// The app whose entry comes first, if entries for different apps open the same URL.
  private func winner(_ openers: [(app: String, entry: Int)]) -> String? {
    guard let first = openers.min(by: { $0.entry < $1.entry }),
      openers.contains(where: { $0.entry != first.entry })
    else { return nil }
    return first.app
  }

  private struct Outcome {
    let app: String
    let explanation: Explanation
  }

  private func fault(_ url: String) -> URLFault? {
    let bytes = Array(url.utf8)
    do throws(URLFault) {
      _ = try URLParts(bytes.span)
      return nil
    } catch {
      return error
    }
  }

  private func outcome(
    _ url: String, _ app: String, explaining: Bool
  ) throws(PatternsTooLarge) -> Outcome {
    let bytes = Array(url.utf8)
    if explaining {
      var explainer = Explainer(association, matcher)
      return Outcome(
        app: app, explanation: try explainer.explain(bytes.span, app: app, domain: domain))
    }
    var context = MatchContext()
    let decision = matcher.decide(bytes.span, app: app, domain: domain, in: &context)
    return Outcome(app: app, explanation: Explanation(decision: decision))
  }

  // MARK: Text

  private func text(_ outcome: Outcome) -> String {
    var text = "  \(escapingControls(outcome.app)): \(verdict(outcome))\n"
    for trial in outcome.explanation.trials {
      let mark = trial.isMatch ? "matched" : "no match"
      text += "    \(place(trial.reference)): \(mark): \(escapingControls(trial.sentence))\n"
    }
    return text
  }

  private func verdict(_ outcome: Outcome) -> String {
    switch outcome.explanation.decision {
    case .match(let reference):
      return "opens: this file permits it, by \(place(reference)) \(written(reference))"
    case .exclude(let reference):
      return "blocked: by \(place(reference)) \(written(reference))"
    case .noMatch(let reason): return "browser: \(words(reason, outcome.app))"
    }
  }

  private func words(_ reason: NoMatchReason, _ app: String) -> String {
    reason.words(ruleCount: matcher.appIndex(app).map { ruleCount(ofApp: $0) } ?? 0)
  }

  private func ruleCount(ofApp index: Int) -> Int {
    association.applinks?.entries[matcher.entryIndex(ofApp: index)].rules.count ?? 0
  }

  private func rule(_ reference: RuleReference) -> Rule? {
    association.applinks?.entries[reference.entry].rules[reference.rule]
  }

  /// `site.json:12:9`
  private func place(_ reference: RuleReference) -> String {
    guard let rule = rule(reference) else { return source.path }
    let place = place(of: rule, reference)
    return escapingControls("\(source.path):\(place.line):\(place.column)")
  }

  private func place(of rule: Rule, _ reference: RuleReference) -> Diagnostic.Place {
    places.value(of: reference) { source.place(of: rule.source.range) }
  }

  /// The text of the rule in the file, on one line.
  private func written(_ reference: RuleReference) -> String {
    guard let rule = rule(reference) else { return "" }
    return texts.value(of: reference) {
      escapingControls(rule.line(in: source))
    }
  }

  // MARK: JSON

  private func json(_ outcome: Outcome) -> String {
    var members: [(String, String?)] = [("app", jsonString(outcome.app))]
    switch outcome.explanation.decision {
    case .match(let reference):
      members.append(("decision", jsonString("match")))
      members += json(reference)
    case .exclude(let reference):
      members.append(("decision", jsonString("exclude")))
      members += json(reference)
    case .noMatch(let reason):
      members.append(("decision", jsonString("no_match")))
      members.append(("reason", jsonString(words(reason, outcome.app))))
    }
    if !outcome.explanation.trials.isEmpty {
      let trials = outcome.explanation.trials.map { trial in
        jsonObject(
          json(trial.reference) + [
            ("matched", trial.isMatch ? "true" : "false"),
            ("explanation", jsonString(trial.sentence)),
          ])
      }
      members.append(("trials", jsonArray(trials)))
    }
    return jsonObject(members)
  }

  private func json(_ reference: RuleReference) -> [(String, String?)] {
    guard let entry = association.applinks?.entries[reference.entry] else { return [] }
    let rule = entry.rules[reference.rule]
    let place = place(of: rule, reference)
    let position =
      switch entry.position {
      case .index(let index): String(index)
      case .identifier(let name): jsonString(name)
      }
    return [
      ("detail", position), ("rule", String(rule.index)), ("line", String(place.line)),
      ("column", String(place.column)),
    ]
  }
}
