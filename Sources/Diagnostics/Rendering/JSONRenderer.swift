extension [FileDiagnostics] {
  /// All diagnostics as one JSON object, with each diagnostic on its own line.
  ///
  /// Lines and columns count from 1, columns in Unicode scalars. `start` and `end` are byte
  /// offsets.
  package var json: String {
    var diagnostics: [String] = []
    for file in self {
      let lines = file.source.map { LineIndex($0.bytes) }
      diagnostics += file.diagnostics.map { diagnostic in
        let place = diagnostic.location?.place
        let region = place.map { Region($0, file.source(of: diagnostic), lines) }
        return jsonObject([
          ("severity", jsonString(diagnostic.severity.rawValue)),
          ("code", jsonString(diagnostic.code)),
          ("message", jsonString(diagnostic.message)),
          ("path", diagnostic.location.map { jsonString($0.path) }),
          ("line", region.map { String($0.startLine) }),
          ("column", region.map { String($0.startColumn) }),
          ("endLine", region.map { String($0.endLine) }),
          ("endColumn", region.map { String($0.endColumn) }),
          ("start", place.map { String($0.range.lowerBound) }),
          ("end", place.map { String($0.range.upperBound) }),
          ("help", diagnostic.help.map(jsonString)),
          ("note", diagnostic.note.map(jsonString)),
        ])
      }
    }
    func count(_ severity: Diagnostic.Severity) -> String {
      String(reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } })
    }
    return """
      {"files":\(self.count),"errors":\(count(.error)),"warnings":\(count(.warning)),\
      "notes":\(count(.note)),"omitted":\(reduce(0) { $0 + $1.omitted }),
      "diagnostics":\(jsonLines(diagnostics))}

      """
  }
}
