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
        return diagnostic.json(place.map { Region($0, file.source(of: diagnostic), lines) })
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

extension Diagnostic {
  /// The diagnostic as a JSON object, without the members that are nil.
  package var json: String { json(nil) }

  /// - Parameter region: The place with its end; nil if only its beginning is written.
  fileprivate func json(_ region: Region?) -> String {
    let place = location?.place
    let bytes = region == nil ? nil : place?.range
    return jsonObject([
      ("severity", jsonString(severity.rawValue)), ("code", jsonString(code)),
      ("message", jsonString(message)), ("path", location.map { jsonString($0.path) }),
      ("line", place.map { String($0.line) }), ("column", place.map { String($0.column) }),
      ("endLine", region.map { String($0.endLine) }),
      ("endColumn", region.map { String($0.endColumn) }),
      ("start", bytes.map { String($0.lowerBound) }), ("end", bytes.map { String($0.upperBound) }),
      ("help", help.map(jsonString)), ("note", note.map(jsonString)),
    ])
  }
}
