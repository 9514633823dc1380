/// The diagnostics of one file, for renderers.
package struct FileDiagnostics: Sendable {
  package let path: String
  /// The text that the diagnostics refer to; nil if it was not read.
  package var source: SourceText?
  package var diagnostics: [Diagnostic]
  /// The number of omitted diagnostics.
  package var omitted: Int
  /// The time it took to find them, in seconds; nil if it was not measured.
  package var seconds: Double?
  /// The lowest severity that fails this file; nil for the common default.
  package var failing: Diagnostic.Severity?
  /// Whether the check could not decide whether the file is right.
  package var isUnknown = false

  package init(path: String, source: SourceText?, diagnostics: [Diagnostic], omitted: Int = 0) {
    self.path = path
    self.source = source
    self.diagnostics = diagnostics
    self.omitted = omitted
  }

  /// The source if the diagnostic refers to it; otherwise nil.
  func source(of diagnostic: Diagnostic) -> SourceText? {
    source?.path == diagnostic.location?.path ? source : nil
  }
}

/// A span's first and last line and column, counted from 1; the end is exclusive.
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
