internal import Diagnostics
internal import Reporting
internal import Rules

/// The output format for findings about many files.
struct ReportFormat: Sendable {
  /// The output for one file.
  struct Result: Sendable {
    /// The highest severity; nil for a file without findings.
    let worst: Diagnostic.Severity?
    /// Whether the findings of the file make the command fail.
    let fails: Bool
    /// Whether the result is about a file that was read.
    let isFile: Bool
    /// The text to write immediately.
    var text = ""
    /// The diagnostics of the file. They are stored until the end if the format begins with a
    /// summary.
    var file: SubjectReport?
  }

  let format: OutputFormat
  let failing: Diagnostic.Severity
  let isQuiet: Bool

  func result(_ file: SubjectReport, isFile: Bool) -> Result {
    let worst = file.diagnostics.map(\.severity).max()
    let fails = worst.map { $0 >= file.failing ?? failing } ?? false
    var result = Result(worst: worst, fails: fails, isFile: isFile)
    if format.isOfEachSubject {
      result.text = rendered([file], text: terminal.render(file))
    } else {
      result.file = file
    }
    return result
  }

  /// Returns the final output, which follows the texts of all files.
  func end(_ files: [SubjectReport], _ tally: Tally) -> String {
    rendered(files, text: isQuiet ? "" : tally.summary)
  }

  private func rendered(_ files: [SubjectReport], text: @autoclosure () -> String) -> String {
    files.rendered(
      as: format, of: "validate", failing: failing, text: text(), json: files.json)
  }
}

private let terminal = ReportStyle.ofOutput.map { TerminalRenderer($0) } ?? TerminalRenderer()

/// Counts files by their highest severity.
struct Tally {
  fileprivate var files: [String: Diagnostic.Severity?] = [:]

  /// Counts a file. If the file was counted before, counts it once, with the highest severity of
  /// all calls.
  ///
  /// - Parameter worst: The highest severity; nil if there are no findings.
  mutating func add(_ worst: Diagnostic.Severity?, in path: String) {
    let earlier = files[path] ?? nil
    files[path] = .some([earlier, worst].compactMap(\.self).max())
  }
  /// The numbers of files in a sentence, for example `2 files: 1 with errors, 1 clean`.
  fileprivate var summary: String {
    let parts = [
      (Diagnostic.Severity.error, "with errors"), (.warning, "with warnings"),
      (.note, "with notes only"), (nil, "clean"),
    ].map { severity, words in (files.values.count { $0 == severity }, words) }
    let words = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    let count = files.count
    return "\(count) \(count == 1 ? "file" : "files")" + (words.isEmpty ? "" : ": " + words) + "\n"
  }
}
