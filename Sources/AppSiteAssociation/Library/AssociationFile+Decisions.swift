internal import Diagnostics
internal import Rules

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
    Decision(decided(url, app).outcome)
  }

  /// The decision with its reason, the entry of the app, and the rule that decided.
  ///
  /// - Parameters: As for `decision(for:app:)`.
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
