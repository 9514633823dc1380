/// The decision of a file about a URL for one app.
package enum Decision: Sendable, Equatable {
  /// The file permits that the URL opens the app.
  case match(RuleReference)
  /// A rule blocks it.
  case exclude(RuleReference)
  /// No decision: the URL stays in the browser.
  case noMatch(NoMatchReason)
}

/// A rule by its place in the model: `association.applinks.entries[entry].rules[rule]`.
package struct RuleReference: Sendable, Hashable {
  package let entry: Int
  package let rule: Int

  package init(entry: Int, rule: Int) {
    self.entry = entry
    self.rule = rule
  }
}

package enum NoMatchReason: Sendable, Equatable {
  case fault(URLFault)
  /// The URL's host is not the domain that the file was served for.
  case otherHost
  /// No entry names the app.
  case unknownApp
  /// No rule of the app's entry matches.
  case noRule
}

/// The outcome for a URL and an app, for people.
package enum LinkOutcome: String, Sendable, Hashable, CaseIterable {
  /// The file permits that the URL opens the app.
  case opens
  /// A rule blocks it.
  case blocked
  /// No rule matches: the URL stays in the browser.
  case browser

  package init(_ decision: Decision) {
    switch decision {
    case .match: self = .opens
    case .exclude: self = .blocked
    case .noMatch: self = .browser
    }
  }
}
