internal import Rules

/// What an association file decides about a link for an app.
///
/// Source: Apple, “Supporting associated domains” and “Defining universal links”.
public enum Decision: String, Sendable, Hashable, CaseIterable {
  /// The file permits the link to open the app.
  case opens
  /// A rule excludes the link: it stays in the browser, and no later rule of the app counts.
  case blocked
  /// No rule matches, no entry names the app, or the text is not a URL: the link stays in the
  /// browser.
  case browser

  init(_ outcome: LinkOutcome) {
    switch outcome {
    case .opens: self = .opens
    case .blocked: self = .blocked
    case .browser: self = .browser
    }
  }
}
