/// The formats of every command that reports findings. A new one is a case, a word of help, and a
/// case of `CommandReport.rendered`.
package enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, junit, github, sarif, markdown

  /// All formats, for help.
  package static let words =
    "text, json, junit, github (annotations), sarif or markdown (a table)"

  /// Whether the output is that of each subject in a row, so that none has to wait for another.
  package var isOfEachSubject: Bool { self == .text || self == .github }
}

/// What a command reports, for every format.
package struct CommandReport {
  private let command: String
  private let subjects: [SubjectReport]
  private let failing: Diagnostic.Severity
  private let text: () -> String
  private let json: () -> String
  private let markdown: (() -> String)?

  /// - Parameters:
  ///   - command: The command's name, for build servers.
  ///   - failing: The lowest severity that fails a subject.
  ///   - markdown: A table in place of the usual one.
  package init(
    of command: String, _ subjects: [SubjectReport], failing: Diagnostic.Severity,
    text: @escaping () -> String, json: @escaping () -> String,
    markdown: (() -> String)? = nil
  ) {
    self.command = command
    self.subjects = subjects
    self.failing = failing
    self.text = text
    self.json = json
    self.markdown = markdown
  }

  package func rendered(as format: OutputFormat) -> String {
    switch format {
    case .text: text()
    case .json: json()
    case .junit: subjects.junit(failing: failing, suite: "aasa " + command)
    case .github: subjects.githubAnnotations
    case .sarif: subjects.sarif(version: programVersion)
    case .markdown: markdown?() ?? subjects.markdown
    }
  }
}
