/// Something that changes for users when one association file takes another's place.
package enum Difference: Sendable, Equatable {
  /// The app is new to the service. Of links the example shows what the file now says of one.
  case appAdded(service: String, app: String, example: DecisionChange?)
  /// The app is gone from the service.
  case appRemoved(service: String, app: String, example: DecisionChange?)
  /// Links of an app that is in both files are decided otherwise.
  case decision(app: String, DecisionChange)
  /// There may be more differences in the links of the app than could be found out.
  case unknown(app: String)

  package var app: String {
    switch self {
    case .appAdded(_, let app, _), .appRemoved(_, let app, _), .decision(let app, _),
      .unknown(let app):
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
