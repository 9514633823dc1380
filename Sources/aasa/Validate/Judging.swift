internal import AppSiteAssociation
internal import Diagnostics
internal import Keeping
internal import Posix
internal import Rules

extension ValidationInput {
  /// Reads and checks the input. Returns the findings, and the file that was read.
  ///
  /// - Parameter least: The minimum severity of the findings to return.
  func judged(
    _ options: ValidationOptions, keeping least: Diagnostic.Severity
  ) -> (file: SubjectReport, read: ReadFile?) {
    var file = SubjectReport(
      path: inputName(path), source: nil,
      diagnostics: faults.filter { !options.ignored.contains($0.code) })
    var read: ReadFile?
    if let language, language.hasRules || !file.diagnostics.isEmpty {
      do throws(SystemError) {
        // If the file was found in a folder, read it with precautions, because untrusted users may
        // have put symbolic links into the folder.
        let foreign = try folder.map { folder throws(SystemError) in
          try ForeignFile(reading: path, limit: largestInput, in: folder)
        }
        let source: SourceText
        if let foreign {
          source = SourceText(path: path, bytes: foreign.content.bytes)
        } else {
          source = try readInput(path, limit: largestInput)
        }
        var options = options
        // If only a part of the file was read, the compressed size of the file is unknown.
        if source.bytes.count > largestInput { options.gzipSize = nil }
        let found = ReadFile(source, as: language, options)
        let report = found.report(options)
        file.diagnostics += foreign?.withoutQuotes(report.diagnostics) ?? report.diagnostics
        file.omitted = report.omitted
        if foreign?.isInside ?? true {
          file.source = report.text ?? source
          read = found
        }
      } catch {
        // If there are no rules for the file, do not report that the file cannot be read, because a
        // fault of the file is already known.
        if language.hasRules { file.diagnostics.append(unreadable(file.path, error)) }
      }
    }
    file.diagnostics.removeAll { $0.severity < least }
    // Do not keep the text of a file without findings, because the report does not show that text.
    if file.diagnostics.isEmpty { file.source = nil }
    return (file, read)
  }
}

/// The maximum bytes to read. This maximum is above Apple's limit, so that the command can report
/// the size of a file that is slightly too large.
private let largestInput = 16 * AppleLimits.fileBytes

func unreadable(_ path: String, _ error: SystemError) -> Diagnostic {
  Diagnostic(
    .unreadable, "the path cannot be read: \(error.reason)", at: .init(path: path),
    help: path.contains("://") || looksLikeDomain(path)
      ? "aasa check \(path) checks the domain itself"
      : error.isNotFound
        ? "check the spelling"
        : "let this user read the path, or leave the path out")
}
