/// What a file does to a link.
package enum LinkOutcome: String, Sendable, Hashable, CaseIterable {
  /// The link opens an app.
  case opens
  /// A rule keeps the link in the browser.
  case blocked
  /// No rule decides, so the link stays in the browser.
  case browser
}
