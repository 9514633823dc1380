internal import Diagnostics
internal import Rules

/// What an association file decides about a link for an app.
///
/// Source: Apple, “Supporting associated domains” and “Defining universal links”.
public enum Decision: String, Sendable, Hashable, CaseIterable {
  /// The file permits the link to open the app.
  case opens
  /// A rule excludes the link: it stays in the browser, and no later rule of the app counts.
  case blocked
  /// No rule matches, no entry names the app, or the text is not a URL: the link stays in the
  /// browser.
  case browser

  init(_ outcome: LinkOutcome) {
    switch outcome {
    case .opens: self = .opens
    case .blocked: self = .blocked
    case .browser: self = .browser
    }
  }
}

/// Why a file decides a link for an app as it does.
public struct DecisionExplanation: Sendable, Equatable {
  public let decision: Decision
  /// The reason: one sentence that starts in lower case and has no full stop, such as: path matched
  /// `/buy/*`.
  public let reason: String
  /// The index in `details` of the first entry that names the app, which is the one that counts;
  /// nil if no entry does.
  public let entry: Int?
  /// The deciding rule as written in the file, on one line; nil if no rule matches.
  public let rule: String?
  /// The line of the rule, counted from 1.
  public let line: Int?
  /// The column of the rule, counted from 1 in Unicode scalars.
  public let column: Int?
}

extension AssociationFile {
  /// Decides a link for an app. Entries for other apps have no influence.
  ///
  /// - Parameters:
  ///   - url: A link such as `https://example.com/buy/42`. Its host is ignored, because devices ask
  ///     that host for the file.
  ///   - app: An app identifier: prefix, dot, bundle identifier.
  /// - Returns: `.browser` if the file does not name the app, no rule matches, or the text is not a
  ///   URL.
  public func decision(for url: String, app: String) -> Decision {
    Decision(decided(url, app).outcome)
  }

  /// Explains a decision: the reason, the app's entry and the deciding rule.
  ///
  /// - Parameters: The same as for `decision(for:app:)`.
  public func explanation(for url: String, app: String) -> DecisionExplanation {
    let decided = decided(url, app)
    let range = decided.rule?.range
    let place = range.map { text.place(of: $0) }
    var reason = decided.reason
    if range != nil {
      reason = (try? links?.trials(of: url, app: app).last?.sentence) ?? "a rule matches"
    }
    return DecisionExplanation(
      decision: Decision(decided.outcome), reason: reason, entry: links?.entry(of: app),
      rule: range.map { text.excerpt(of: $0) }, line: place?.line, column: place?.column)
  }

  private func decided(_ url: String, _ app: String) -> LinkDecision {
    links?.decide(url, for: [app]).first
      ?? LinkDecision(.browser, reason: NoMatchReason.unknownApp.words(ruleCount: 0))
  }
}
