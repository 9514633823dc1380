package import Diagnostics

/// A change for users when one file replaces another.
package struct Difference: Sendable, Equatable {
  package let kind: Kind
  /// Apple's service, or `android` for the links of an Android app. Nil if a statement of Android's
  /// list was added or removed.
  package let service: String?
  /// The app that the change concerns. If two apps changed their order, this is the app that comes
  /// first in the new file. If `service` is nil, this is a description of the added or removed
  /// statement.
  package let app: String
  /// If two apps changed their order, the app that came first in the old file; otherwise nil. Both
  /// apps open the same links. If both apps are installed, `app` now opens these links.
  package let other: String?
  /// The changed decision. If the app was added or removed, the decision about one of its links.
  package let change: DecisionChange?
  /// One of the shortest affected links, without scheme and host. Nil if the change does not
  /// concern links.
  package let example: String?

  package init(
    _ kind: Kind, service: String?, app: String, other: String? = nil,
    change: DecisionChange? = nil, example: String? = nil
  ) {
    self.kind = kind
    self.service = service
    self.app = app
    self.other = other
    self.change = change
    self.example = example ?? change?.example
  }

  /// Whether the difference is a changed decision about links of an app that both files list.
  package var isDecision: Bool { change != nil && kind != .appAdded && kind != .appRemoved }
}

/// A group of links that two files decide differently. Contains the rules that decide in each file.
package struct DecisionChange: Sendable, Equatable {
  package let old: LinkOutcome
  package let new: LinkOutcome
  /// The deciding rule in the old file; nil if no rule decides. Always nil for Android.
  package let oldRule: LinkRule?
  package let newRule: LinkRule?
  /// One of the shortest links of the group, without scheme and host.
  package let example: String

  package init(
    old: LinkOutcome, new: LinkOutcome, oldRule: LinkRule? = nil, newRule: LinkRule? = nil,
    example: String
  ) {
    self.old = old
    self.new = new
    self.oldRule = oldRule
    self.newRule = newRule
    self.example = example
  }
}

/// The kinds of differences between two files. What users lose is reported as an error, and what
/// users gain as a note.
extension Kind {
  package static let appAdded = Kind(
    "D001", "app-added", "the new file lists an app for a service, and the old file does not",
    "the app can now open links, use passwords or continue activities", nil, severity: .note,
    fix: "check that the app should have this service")
  package static let appRemoved = Kind(
    "D002", "app-removed", "the old file lists an app for a service, and the new file does not",
    "the app loses the service as soon as devices have the new file", nil,
    fix: "put the app back, or accept its removal with --ignore D002")
  package static let linksGained = Kind(
    "D003", "links-gained", "links now open an app that they did not open before",
    "these links now open the app for people who have the app", nil, severity: .note,
    fix: "check the example link; to accept newly opened links, use --fail-on error")
  package static let linksLost = Kind(
    "D004", "links-lost", "links no longer open an app that they opened before",
    "these links now stay in the browser for people who have the app", nil,
    fix: "put the rule back, or accept the loss with --ignore D004")
  package static let linksBlocked = Kind(
    "D005", "links-blocked",
    "links that no rule matched are now blocked, or blocked links now match no rule",
    "the app opens in neither case; the change matters only if a rule is added later", nil,
    severity: .note, fix: "check the example link")
  package static let appsSwapped = Kind(
    "D006", "apps-swapped", "two apps that open the same links have changed places in the file",
    "if both apps are installed, the first app in the file opens", "seen in the field (grade O)",
    severity: .warning, fix: "list the app that should open these links first")
  package static let notCompared = Kind(
    "D007", "not-compared", "the files may have differences that aasa did not find",
    "an exact comparison of patterns can take very long, so aasa stops at a limit", nil,
    severity: .warning, fix: "use fewer wildcards, or give variables fewer values")

  /// Returns the kind of difference for a link whose outcome changed.
  package static func ofDecision(from old: LinkOutcome, to new: LinkOutcome) -> Kind {
    old == .opens ? .linksLost : new == .opens ? .linksGained : .linksBlocked
  }
}

extension Diagnostic.Severity {
  /// The symbol that stands for this severity in the Markdown form.
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
