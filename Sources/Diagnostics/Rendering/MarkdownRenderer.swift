extension [SubjectReport] {
  /// A table, for example for a CI job's summary. It has a row for each finding in a file, or for
  /// each domain.
  var markdown: String {
    let heads = contains { $0.verdict != nil } ? "domain | verdict" : "file | finding"
    return "| \(heads) |\n|---|---|\n" + map(rows).joined()
  }
}

private func rows(_ subject: SubjectReport) -> String {
  if let verdict = subject.verdict {
    let prefix = subject.path + ": "
    let sentence = verdict.sentence
    let words = sentence.hasPrefix(prefix) ? String(sentence.dropFirst(prefix.count)) : sentence
    return "| \(verdict.outcome.mark) \(markdownCell(subject.path)) | \(markdownCell(words)) |\n"
  }
  if subject.diagnostics.isEmpty { return "| ✅ \(markdownCell(subject.path)) | |\n" }
  return subject.diagnostics.map { diagnostic in
    let line = diagnostic.location?.place.map { ":\($0.line)" } ?? ""
    let mark = diagnostic.severity == .error ? "❌" : "⚠️"
    return "| \(mark) \(markdownCell(subject.path + line)) | "
      + markdownCell("\(diagnostic.code): \(diagnostic.message)") + " |\n"
  }.joined()
}

extension SubjectReport.Outcome {
  fileprivate var mark: String {
    switch self {
    case .good: "✅"
    case .cdn: "🕓"
    case .wrong: "❌"
    case .unknown: "❔"
    }
  }
}
