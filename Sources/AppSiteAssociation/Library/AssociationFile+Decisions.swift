internal import Diagnostics
internal import JSON

/// Why a file decides about a link and an app as it does.
public struct DecisionExplanation: Sendable, Equatable {
  public let decision: Decision
  /// One sentence that starts in lower case and has no full stop, for example: path matched
  /// `/buy/*`.
  public let reason: String
  /// The index in `details` of the entry that names the app; nil if none does. Of several entries
  /// for one app, the first one counts.
  public let entry: Int?
  /// The deciding rule as it is written in the file, on one line; nil if no rule matches.
  public let rule: String?
  /// The line of the rule, counted from 1.
  public let line: Int?
  /// The column of the rule, counted from 1 in Unicode scalars.
  public let column: Int?
}

extension AssociationFile {
  /// What the file says about a link and an app. Entries of other apps change nothing.
  ///
  /// - Parameters:
  ///   - url: A link such as `https://example.com/buy/42`. Its host is not judged: devices ask the
  ///     host itself for the file.
  ///   - app: An app identifier: prefix, dot, bundle identifier.
  /// - Returns: `.browser` if the file does not name the app, no rule matches, or the text is not a
  ///   URL.
  public func decision(for url: String, app: String) -> Decision {
    Decision(ruleDecision(for: url, app: app))
  }

  /// The decision with its reason, the entry of the app, and the rule that decided.
  ///
  /// - Parameters: As for `decision(for:app:)`.
  public func explanation(for url: String, app: String) -> DecisionExplanation {
    let decided = ruleDecision(for: url, app: app)
    let index = matcher?.appIndex(app)
    let entry = index.flatMap { matcher?.entryIndex(ofApp: $0) }
    let rules = entry.flatMap { association?.applinks?.entries[$0].rules } ?? []
    var rule: Rule?
    var reason = ""
    switch decided {
    case .match(let reference), .exclude(let reference):
      rule = rules[reference.rule]
      reason = sentence(about: url, app: app) ?? "a rule matches"
    case .noMatch(let cause): reason = cause.words(ruleCount: rules.count)
    }
    let place = rule.map { text.place(of: $0.source.range) }
    return DecisionExplanation(
      decision: Decision(decided), reason: reason, entry: entry, rule: rule?.line(in: text),
      line: place?.line, column: place?.column)
  }

  private var association: Association? { document.map { Association($0.root) } }

  private func ruleDecision(for url: String, app: String) -> RuleDecision {
    var context = MatchContext()
    return matcher?.decide(Array(url.utf8).span, app: app, domain: nil, in: &context)
      ?? .noMatch(.unknownApp)
  }

  /// How the rule that decides matches the parts of the link.
  private func sentence(about url: String, app: String) -> String? {
    guard let association, let matcher else { return nil }
    var explainer = Explainer(association, matcher)
    return try? explainer.explain(Array(url.utf8).span, app: app, domain: nil).trials.last?.sentence
  }
}
