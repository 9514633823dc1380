package import Diagnostics
package import Rules

/// A change for users when one association file replaces another.
package enum Difference: Sendable, Equatable {
  /// The app is new to the service. For links, the example shows the new decision on one.
  case appAdded(service: String, app: String, example: DecisionChange?)
  /// The app was removed from the service.
  case appRemoved(service: String, app: String, example: DecisionChange?)
  /// The decision on links of an app in both files has changed.
  case decision(app: String, DecisionChange)
  /// Two apps that open the same links changed places: if both are installed, another one wins.
  ///
  /// - Parameter app: The first one in the new file.
  case order(app: String, before: String, example: ExampleURL)
  /// There may be further differences in the links of the app.
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

/// Links on which two files decide differently, with the deciding rules.
package struct DecisionChange: Sendable, Equatable {
  package let old: LinkOutcome
  package let new: LinkOutcome
  /// The deciding rule in the old file; nil if there is none.
  package let oldRule: RuleReference?
  package let newRule: RuleReference?
  /// A shortest URL of those links.
  package let example: ExampleURL
}
