package import Diagnostics

/// Something that changes for users when one association file takes another's place.
package enum Difference: Sendable, Equatable {
  /// The app is new to the service. Of links the example shows what the file now says of one.
  case appAdded(service: String, app: String, example: DecisionChange?)
  /// The app is gone from the service.
  case appRemoved(service: String, app: String, example: DecisionChange?)
  /// Links of an app that is in both files are decided otherwise.
  case decision(app: String, DecisionChange)
  /// Two apps that open the same links changed places: where both are installed, another one wins.
  ///
  /// - Parameter app: the one that stands first in the new file.
  case order(app: String, before: String, example: ExampleURL)
  /// There may be more differences in the links of the app than could be found out.
  case unknown(app: String)

  /// How bad it is for users who have the apps: what they lose is an error.
  package var severity: Diagnostic.Severity {
    switch self {
    case .appRemoved: .error
    case .decision(_, let change): change.old == .opens ? .error : .note
    case .order, .unknown: .warning
    case .appAdded: .note
    }
  }

  /// The code of its kind.
  package var code: String {
    switch self {
    case .appAdded: "D001"
    case .appRemoved: "D002"
    case .decision(_, let change):
      change.old == .opens ? "D004" : change.new == .opens ? "D003" : "D005"
    case .order: "D006"
    case .unknown: "D007"
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

/// Links that two files decide differently, by the rules that do.
package struct DecisionChange: Sendable, Equatable {
  package let old: LinkOutcome
  package let new: LinkOutcome
  /// The rule that decides in the old file; nil when none does.
  package let oldRule: RuleReference?
  package let newRule: RuleReference?
  /// A shortest URL of those links.
  package let example: ExampleURL
}
