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
        jsonObject(
          diagnostic.members(
            .severity, .code, .message, .path, .line, .column, .endLine, .endColumn, .start, .end,
            .help, .note, in: file.source(of: diagnostic), lines))
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
  /// A member of a JSON object about a diagnostic.
  package enum Member: String {
    case severity, code, message, help, note
    /// The path of the file, by two names.
    case path, file
    case line, column, endLine, endColumn
    /// Byte offsets.
    case start, end
  }

  /// The diagnostic as a JSON object, without the members that are nil. Contains only the beginning
  /// of its range.
  package var json: String {
    jsonObject(members(.severity, .code, .message, .path, .line, .column, .help, .note))
  }

  /// Returns members for a JSON object; nil for facts that the diagnostic lacks.
  ///
  /// - Parameters:
  ///   - source: The text that the diagnostic refers to. If it is nil, the end of the range is not
  ///     known exactly.
  ///   - lines: The lines of `source`.
  package func members(
    _ members: Member..., in source: SourceText? = nil, _ lines: LineIndex? = nil
  ) -> [(String, String?)] {
    let place = location?.place
    let region = place.map { Region($0, source, lines) }
    return members.map { member in
      let value: String? =
        switch member {
        case .severity: jsonString(severity.rawValue)
        case .code: jsonString(code)
        case .message: jsonString(message)
        case .path, .file: location.map { jsonString($0.path) }
        case .line: place.map { String($0.line) }
        case .column: place.map { String($0.column) }
        case .endLine: region.map { String($0.endLine) }
        case .endColumn: region.map { String($0.endColumn) }
        case .start: place.map { String($0.range.lowerBound) }
        case .end: place.map { String($0.range.upperBound) }
        case .help: help.map(jsonString)
        case .note: note.map(jsonString)
        }
      return (member.rawValue, value)
    }
  }
}
