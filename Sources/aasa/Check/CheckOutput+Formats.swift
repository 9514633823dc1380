internal import Checking
internal import Diagnostics

/// Reports for build servers and pull requests.
extension CheckOutput {
  func junit(_ subjects: [CheckedSubject]) -> String {
    subjects.map { subject in
      var file = FileDiagnostics(
        path: subject.name, source: nil,
        diagnostics: subject.findings.map { $0.diagnostic(subject) })
      file.seconds = Double(subject.milliseconds) / 1_000
      return file
    }.junit(failing: failsOn, suite: "aasa check")
  }

  /// Annotations of GitHub's workflows.
  func github(_ subjects: [CheckedSubject]) -> String {
    subjects.flatMap { subject in
      subject.findings.filter { $0.severity >= .warning }.map { finding in
        // An annotation about a domain has no file.
        let diagnostic = Diagnostic(
          finding.kind, severity: finding.severity, "\(subject.name): \(finding.message)",
          help: finding.help)
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

extension Finding {
  fileprivate func diagnostic(_ subject: CheckedSubject) -> Diagnostic {
    Diagnostic(kind, severity: severity, message, at: .init(path: subject.name), help: help)
  }
}
