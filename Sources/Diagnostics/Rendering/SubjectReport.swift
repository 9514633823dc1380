/// A command's findings about one file or one domain, for renderers.
package struct SubjectReport: Sendable {
  /// The path of the file, or the name of the domain.
  package let path: String
  /// The text that the diagnostics refer to; nil if the text was not read.
  package var source: SourceText?
  package var diagnostics: [Diagnostic]
  /// The number of diagnostics that were omitted because of a limit.
  package var omitted: Int
  /// The time that the check took, in seconds; nil if it was not measured.
  package var seconds: Double?
  /// The lowest severity that makes this file fail. If nil, the severity that applies to all files
  /// is used.
  package var failing: Diagnostic.Severity?
  /// The result of checking a domain. Nil for a file, because the report on a file has only
  /// diagnostics.
  package var verdict: Verdict?

  /// A result in one sentence.
  package struct Verdict: Sendable {
    package let outcome: Outcome
    package let sentence: String

    package init(_ outcome: Outcome, _ sentence: String) {
      self.outcome = outcome
      self.sentence = sentence
    }
  }

  package enum Outcome: String, Sendable {
    case good, wrong
    /// The domain is good, but Apple's CDN has a different version.
    case cdn
    /// The result is unknown, because a fault of this machine prevented the check.
    case unknown
  }

  /// Whether the check could not be completed, so that it has no result.
  var isUnknown: Bool { verdict?.outcome == .unknown }

  package init(path: String, source: SourceText?, diagnostics: [Diagnostic], omitted: Int = 0) {
    self.path = path
    self.source = source
    self.diagnostics = diagnostics
    self.omitted = omitted
  }

  /// A report on a subject that is not a file.
  package init(
    _ name: String, _ outcome: Outcome, _ sentence: String, _ diagnostics: [Diagnostic]
  ) {
    self.init(path: name, source: nil, diagnostics: diagnostics)
    verdict = Verdict(outcome, sentence)
  }

  /// Returns `source` if the diagnostic refers to this text; otherwise nil.
  func source(of diagnostic: Diagnostic) -> SourceText? {
    source?.path == diagnostic.location?.path ? source : nil
  }
}

/// The lines and columns at which a range of text begins and ends, counted from 1. The end is
/// exclusive.
struct Region {
  let startLine: Int
  let startColumn: Int
  let endLine: Int
  let endColumn: Int

  init(_ place: Diagnostic.Place, _ source: SourceText?, _ lines: LineIndex?) {
    startLine = place.line
    startColumn = place.column
    guard let source, let lines else {
      endLine = place.line
      endColumn = place.column + 1
      return
    }
    let end = lines.place(of: place.range.upperBound..<place.range.upperBound, in: source)
    endLine = end.line
    endColumn = end.column
  }
}
