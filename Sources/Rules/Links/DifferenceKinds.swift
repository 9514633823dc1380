package import Diagnostics

/// The kinds of differences between two files. A loss for users is an error, a gain is a note.
extension Kind {
  package static let appAdded = Kind(
    "D001", "app-added", "the new file names an app for a service that the old one does not",
    "the app may open links, use passwords or continue activities", nil, severity: .note,
    fix: "check that the app is intended")
  package static let appRemoved = Kind(
    "D002", "app-removed", "the old file names an app for a service that the new one does not",
    "the app loses the service as soon as devices have the new file", nil,
    fix: "put the app back, or accept it with --ignore D002")
  package static let linksGained = Kind(
    "D003", "links-gained", "links open an app that did not open it before",
    "such links now open the app for people who have it", nil, severity: .note,
    fix: "check the example; --fail-on error accepts what is gained")
  package static let linksLost = Kind(
    "D004", "links-lost", "links that opened an app do not any more",
    "such links now stay in the browser for people who have the app", nil,
    fix: "put the rule back, or accept it with --ignore D004")
  package static let linksBlocked = Kind(
    "D005", "links-blocked", "links that no rule matched are blocked, or the reverse",
    "neither opens the app; only a rule that is added later makes a difference", nil,
    severity: .note, fix: "check the example")
  package static let appsSwapped = Kind(
    "D006", "apps-swapped", "two apps that open the same links have changed places",
    "if both are installed, the first one opens", "seen in the field (grade O)",
    severity: .warning, fix: "put first the app that should win")
  package static let notCompared = Kind(
    "D007", "not-compared", "further differences are unknown",
    "an exact comparison of patterns can take very long, so it stops at a limit", nil,
    severity: .warning, fix: "use fewer wildcards, or give variables fewer values")

  /// Returns the kind of difference for a link whose outcome changed.
  package static func ofDecision(from old: LinkOutcome, to new: LinkOutcome) -> Kind {
    old == .opens ? .linksLost : new == .opens ? .linksGained : .linksBlocked
  }
}

extension Diagnostic.Severity {
  /// The mark of a difference in Markdown.
  package var mark: String {
    switch self {
    case .error: "❌"
    case .warning: "⚠️"
    case .note: "➕"
    }
  }
}

/// All kinds of differences.
package let differenceKinds: [Kind] = [
  .appAdded, .appRemoved, .linksGained, .linksLost, .linksBlocked, .appsSwapped, .notCompared,
]
