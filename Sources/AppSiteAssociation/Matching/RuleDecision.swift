package import Rules

/// The decision of a file about a URL for one app, with the rule that made it.
package enum RuleDecision: Sendable, Equatable {
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

extension NoMatchReason {
  /// One sentence without a full stop.
  ///
  /// - Parameter ruleCount: The number of rules of the app's entry.
  func words(ruleCount: Int) -> String {
    switch self {
    case .fault(let fault): fault.message
    case .otherHost: "the URL's host is not the one the file is served for"
    case .unknownApp: "the file does not name this app for links"
    case .noRule:
      ruleCount == 0
        ? "the file has no rules for this app; Apple does not say what devices do then"
        : ruleCount == 1 ? "its only rule does not match" : "none of its \(ruleCount) rules matches"
    }
  }
}
