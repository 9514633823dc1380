internal import Checking
internal import Diagnostics

/// Reports for build servers and pull requests.
extension CheckOutput {
  func files(_ subjects: [CheckedSubject]) -> [FileDiagnostics] {
    subjects.map { subject in
      var file = FileDiagnostics(
        path: subject.name, source: nil,
        diagnostics: subject.findings.map { finding in
          var diagnostic = finding.diagnostic
          diagnostic.location = .init(path: subject.name)
          return diagnostic
        })
      file.isUnknown = subject.outcome == .unknown
      file.seconds = Double(subject.milliseconds) / 1_000
      return file
    }
  }

  /// Annotations of GitHub's workflows.
  func github(_ subjects: [CheckedSubject]) -> String {
    subjects.flatMap { subject in
      subject.findings.filter { $0.severity >= .warning }.map { finding in
        // An annotation about a domain has no file.
        var diagnostic = finding.diagnostic
        diagnostic.location = nil
        diagnostic.message = "\(subject.name): \(finding.message)"
        return FileDiagnostics(path: "", source: nil, diagnostics: [diagnostic])
      }
    }.githubAnnotations
  }

  /// A table with a row for each domain, for example for the summary of a job.
  func markdown(_ subjects: [CheckedSubject]) -> String {
    var text = "| domain | verdict |\n|---|---|\n"
    for subject in subjects {
      let mark =
        switch subject.outcome {
        case .good: "✅"
        case .cdn: "🕓"
        case .wrong: "❌"
        case .unknown: "❔"
        }
      let prefix = subject.name + ": "
      let words =
        subject.verdict.hasPrefix(prefix)
        ? String(subject.verdict.dropFirst(prefix.count)) : subject.verdict
      text += "| \(mark) \(markdownCell(subject.name)) | \(markdownCell(words)) |\n"
    }
    return text
  }
}
