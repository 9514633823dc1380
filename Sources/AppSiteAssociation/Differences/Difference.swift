package import Diagnostics
package import Rules

/// A change for users when one association file replaces another.
package enum Difference: Sendable, Equatable {
  /// The app is new to the service. For links, the example shows one decision in the new file.
  case appAdded(service: String, app: String, example: DecisionChange?)
  /// The app was removed from the service.
  case appRemoved(service: String, app: String, example: DecisionChange?)
  /// Links of an app in both files are decided differently.
  case decision(app: String, DecisionChange)
  /// Two apps that open the same links changed places, so the other one opens them if both are
  /// installed.
  ///
  /// - Parameter app: The app that comes first in the new file.
  case order(app: String, before: String, example: ExampleURL)
  /// The search was incomplete: more of the app's links may have changed.
  case unknown(app: String)

  package var kind: Kind {
    switch self {
    case .appAdded: .appAdded
    case .appRemoved: .appRemoved
    case .decision(_, let change): .ofDecision(from: change.old, to: change.new)
    case .order: .appsSwapped
    case .unknown: .notCompared
    }
  }

  package var app: String {
    switch self {
    case .appAdded(_, let app, _), .appRemoved(_, let app, _), .decision(let app, _),
      .order(let app, _, _), .unknown(let app):
      app
    }
  }
}

/// A group of links that two files decide differently, with the deciding rules.
package struct DecisionChange: Sendable, Equatable {
  package let old: LinkOutcome
  package let new: LinkOutcome
  /// The deciding rule in the old file; nil if no rule decides.
  package let oldRule: RuleReference?
  package let newRule: RuleReference?
  /// A shortest URL of the group.
  package let example: ExampleURL
}
