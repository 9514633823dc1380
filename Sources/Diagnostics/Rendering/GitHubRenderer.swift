internal import Bytes

extension [FileDiagnostics] {
  /// GitHub workflow commands that annotate a pull request, one per line.
  package var githubAnnotations: String {
    var text = ""
    for file in self {
      let lines = file.source.map { LineIndex($0.bytes) }
      for diagnostic in file.diagnostics {
        let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
        var properties: [String] = []
        if let location = diagnostic.location {
          properties.append("file=" + escapingProperty(location.path))
          if let place = location.place {
            let region = Region(place, file.source(of: diagnostic), lines)
            properties.append("line=\(region.startLine)")
            properties.append("endLine=\(region.endLine)")
            // GitHub allows columns only in annotations of a single line.
            if region.startLine == region.endLine {
              properties.append("col=\(region.startColumn)")
              properties.append("endColumn=\(region.endColumn)")
            }
          }
        }
        properties.append("title=" + escapingProperty(diagnostic.code))
        text +=
          "::\(command) \(properties.joined(separator: ","))::\(escapingData(diagnostic.paragraphs))\n"
      }
    }
    return text
  }
}

/// Escapes the message of a workflow command: line ends would end it, and `%` begins an escape.
private func escapingData(_ text: String) -> String {
  let escapes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]
  return escaped(text) { escapes[$0] }
}

/// Escapes a property, in which `:` and `,` are separators too.
private func escapingProperty(_ text: String) -> String {
  escapingData(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
}
