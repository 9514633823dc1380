extension [SubjectReport] {
  /// All diagnostics as one JSON object, with each diagnostic on its own line.
  ///
  /// Lines and columns are counted from 1, and columns in Unicode scalars. `start` and `end` are
  /// byte offsets.
  package var json: String {
    var diagnostics: [[UInt8]] = []
    for file in self {
      let lines = file.source.map { LineIndex($0.bytes) }
      // Convert each diagnostic to text immediately to save memory, because there may be thousands
      // of diagnostics.
      diagnostics += file.diagnostics.map { diagnostic in
        JSONTree(
          diagnostic.members(
            .severity, .code, .message, .path, .line, .column, .endLine, .endColumn, .start, .end,
            .help, .note, in: file.source(of: diagnostic), lines)
        ).minified
      }
    }
    func count(_ severity: Diagnostic.Severity) -> Int {
      reduce(0) { $0 + $1.diagnostics.count { $0.severity == severity } }
    }
    return """
      {"files":\(self.count),"errors":\(count(.error)),"warnings":\(count(.warning)),\
      "notes":\(count(.note)),"omitted":\(reduce(0) { $0 + $1.omitted }),
      "diagnostics":\(JSONTree.lines(diagnostics))}

      """
  }
}

extension Diagnostic {
  /// A member of a JSON object about a diagnostic.
  package enum Member: String {
    case severity, code, message, help, note
    /// The path of the file. `path` and `file` are two names of the same value.
    case path, file
    case line, column, endLine, endColumn
    /// The byte offsets at which the range of the diagnostic begins and ends.
    case start, end
  }

  /// The diagnostic as a JSON object, without the members that are nil. The object contains only
  /// the beginning of the diagnostic's range.
  package var json: JSONTree {
    JSONTree(members(.severity, .code, .message, .path, .line, .column, .help, .note))
  }

  /// Returns members for a JSON object about the diagnostic. The value of a member is nil if the
  /// diagnostic has no such value.
  ///
  /// - Parameters:
  ///   - source: The text that the diagnostic refers to. Without this text, the line and column at
  ///     which the range ends are not known exactly.
  ///   - lines: The lines of `source`.
  package func members(
    _ members: Member..., in source: SourceText? = nil, _ lines: LineIndex? = nil
  ) -> [(String, JSONTree?)] {
    let place = location?.place
    let region = place.map { Region($0, source, lines) }
    return members.map { member in
      let value: JSONTree? =
        switch member {
        case .severity: severity.rawValue.json
        case .code: code.json
        case .message: message.json
        case .path, .file: location?.path.json
        case .line: place?.line.json
        case .column: place?.column.json
        case .endLine: region?.endLine.json
        case .endColumn: region?.endColumn.json
        case .start: place?.range.lowerBound.json
        case .end: place?.range.upperBound.json
        case .help: help?.json
        case .note: note?.json
        }
      return (member.rawValue, value)
    }
  }
}
