extension [FileDiagnostics] {
  /// All diagnostics as one JSON object, each on a line of its own.
  ///
  /// Lines and columns count from 1, columns in Unicode scalars; `start` and `end` are byte offsets.
  package var json: String {
    var diagnostics: [String] = []
    for file in self {
      let lines = file.source.map { LineIndex($0.bytes) }
      diagnostics += file.diagnostics.map { diagnostic in
        let place = diagnostic.location?.place
        let region = place.map { Region($0, file.source(of: diagnostic), lines) }
        return JSONText.object([
          ("severity", JSONText.string(diagnostic.severity.rawValue)),
          ("code", JSONText.string(diagnostic.code)),
          ("message", JSONText.string(diagnostic.message)),
          ("path", diagnostic.location.map { JSONText.string($0.path) }),
          ("line", region.map { String($0.startLine) }),
          ("column", region.map { String($0.startColumn) }),
          ("endLine", region.map { String($0.endLine) }),
          ("endColumn", region.map { String($0.endColumn) }),
          ("start", place.map { String($0.range.lowerBound) }),
          ("end", place.map { String($0.range.upperBound) }),
          ("help", diagnostic.help.map(JSONText.string)),
          ("note", diagnostic.note.map(JSONText.string)),
        ])
      }
    }
    func count(_ severity: Diagnostic.Severity) -> String {
      String(reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } })
    }
    return """
      {"files":\(self.count),"errors":\(count(.error)),"warnings":\(count(.warning)),\
      "notes":\(count(.note)),"omitted":\(reduce(0) { $0 + $1.omitted }),
      "diagnostics":\(JSONText.lines(diagnostics))}

      """
  }
}
