/// The output formats of all commands that report findings. A new format needs a case here, a word
/// in `words`, and a case in `rendered`.
package enum OutputFormat: String, CaseIterable, Sendable {
  case text, json, junit, github, sarif, markdown

  /// The names of all formats, for help texts.
  package static let words =
    "text, json, junit, github (annotations), sarif or markdown (a table)"

  /// Whether the report on one file or domain can be printed before the reports on the other files
  /// or domains are complete.
  package var isOfEachSubject: Bool { self == .text || self == .github }
}

extension [SubjectReport] {
  /// Returns a command's report in one of the formats.
  ///
  /// - Parameters:
  ///   - command: The name of the command, for build servers.
  ///   - failing: The lowest severity that makes a file or domain fail.
  ///   - markdown: The Markdown table to use. If nil, the usual table is used.
  package func rendered(
    as format: OutputFormat, of command: String, failing: Diagnostic.Severity,
    text: @autoclosure () -> String, json: @autoclosure () -> String,
    markdown: @autoclosure () -> String? = nil
  ) -> String {
    switch format {
    case .text: text()
    case .json: json()
    case .junit: junit(failing: failing, suite: "aasa " + command)
    case .github: githubAnnotations
    case .sarif: sarif(version: programVersion)
    case .markdown: markdown() ?? self.markdown
    }
  }
}
