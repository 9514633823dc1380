package import Rules

/// What a file decides about a URL for one app, with the deciding rule.
package enum RuleDecision: Sendable, Equatable {
  /// The file permits the URL to open the app.
  case match(RuleReference)
  /// A rule blocks the URL.
  case exclude(RuleReference)
  /// No rule decides, so the URL stays in the browser.
  case noMatch(NoMatchReason)
}

/// A rule, identified by its place in the model: `association.applinks.entries[entry].rules[rule]`.
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
  /// The URL's host is outside the domain that served the file.
  case otherHost
  /// No entry names the app.
  case unknownApp
  /// No rule of the app's entry matches.
  case noRule
}

extension NoMatchReason {
  /// The reason as a sentence without a full stop.
  ///
  /// - Parameter ruleCount: The number of rules in the app's entry.
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
