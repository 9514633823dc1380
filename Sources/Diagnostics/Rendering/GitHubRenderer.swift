internal import Bytes

extension [SubjectReport] {
  /// GitHub workflow commands that annotate a pull request, one per line.
  package var githubAnnotations: String {
    var text = ""
    for file in self {
      let lines = file.source.map { LineIndex($0.bytes) }
      for diagnostic in file.annotations {
        let command = diagnostic.severity == .note ? "notice" : diagnostic.severity.rawValue
        var properties: [String] = []
        if let location = diagnostic.location {
          properties.append("file=" + escapingCommandProperty(location.path))
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
        properties.append("title=" + escapingCommandProperty(diagnostic.code))
        let message = escapingCommandMessage(diagnostic.paragraphs)
        text += "::\(command) \(properties.joined(separator: ","))::\(message)\n"
      }
    }
    return text
  }
}

extension SubjectReport {
  /// The diagnostics to annotate. A domain has no lines, so only its warnings and errors are
  /// annotated, and each message begins with the name of the domain.
  fileprivate var annotations: [Diagnostic] {
    if verdict == nil { return diagnostics }
    return diagnostics.filter { $0.severity >= .warning }.map { diagnostic in
      var diagnostic = diagnostic
      diagnostic.location = nil
      diagnostic.message = "\(path): \(diagnostic.message)"
      return diagnostic
    }
  }
}
