internal import ArgumentParser
internal import Diagnostics

/// The formats of every command that reports findings.
enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
  case text, json, junit, github, sarif, markdown
}

/// The options that choose the format of a report.
struct FormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "text, json, junit, github (annotations), sarif or markdown (a table)", valueName: "FORMAT"))
  var format: OutputFormat?
  @Flag(help: "the same as --format json") var json = false

  func validate() throws {
    if json, let format, format != .json {
      throw ValidationError("give --json or --format \(format.rawValue), not both")
    }
  }

  var choice: OutputFormat { json ? .json : format ?? .text }
}

extension [FileDiagnostics] {
  /// Returns the report in a format that has the same form for all commands; nil for the others.
  ///
  /// - Parameters:
  ///   - command: The command's name, for `junit`.
  ///   - failing: The lowest severity that fails a file.
  func report(
    as format: OutputFormat, of command: String, failing: Diagnostic.Severity
  ) -> String? {
    switch format {
    case .text, .json: nil
    case .junit: junit(failing: failing, suite: "aasa " + command)
    case .github: githubAnnotations
    case .sarif: sarif(version: programVersion)
    case .markdown: markdown
    }
  }

  /// A table with a row for each finding, for example for the summary of a job.
  private var markdown: String {
    var text = "| file | finding |\n|---|---|\n"
    for file in self {
      if file.diagnostics.isEmpty { text += "| ✅ \(markdownCell(file.path)) | |\n" }
      for diagnostic in file.diagnostics {
        let line = diagnostic.location?.place.map { ":\($0.line)" } ?? ""
        let mark = diagnostic.severity == .error ? "❌" : "⚠️"
        text += "| \(mark) \(markdownCell(file.path + line)) | "
        text += markdownCell("\(diagnostic.code): \(diagnostic.message)") + " |\n"
      }
    }
    return text
  }
}
