package import Diagnostics

/// The problems that the last reading of one entry or certificate found.
package struct Problem: Sendable {
  /// The first few diagnostics, errors first.
  package let diagnostics: [Diagnostic]
  /// The number of further diagnostics.
  package let omitted: Int
  /// Whether the last good version is served instead of the current one.
  package let isLastGood: Bool
  /// Whether there is an error among the diagnostics.
  package let hasErrors: Bool

  package init(diagnostics: [Diagnostic], omitted: Int, isLastGood: Bool, hasErrors: Bool) {
    self.diagnostics = diagnostics
    self.omitted = omitted
    self.isLastGood = isLastGood
    self.hasErrors = hasErrors
  }
}
