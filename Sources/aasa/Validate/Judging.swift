internal import AppSiteAssociation
internal import Diagnostics
internal import DigitalAssetLinks
internal import Gzip
internal import Posix
internal import Rules

/// A parsed file, kept for comparing the files of one host.
enum ReadFile: Sendable {
  case association(AssociationFile)
  case assetLinks(AssetLinksFile)
}

extension ValidationInput {
  /// Reads and judges the input.
  ///
  /// - Parameter least: The least severity that is kept.
  func judged(
    _ options: ValidationOptions, keeping least: Diagnostic.Severity
  ) -> (file: FileDiagnostics, read: ReadFile?) {
    var file = FileDiagnostics(
      path: inputName(path), source: nil,
      diagnostics: faults.filter { !options.ignored.contains($0.code) })
    var read: ReadFile?
    if case .other = content {
      if !file.diagnostics.isEmpty {
        file.source = try? readInput(path, limit: largestInput)
      }
    } else if isFile {
      do throws(SystemError) {
        let source = try readInput(path, limit: largestInput)
        let report = self.report(on: source, options, least, &read)
        file.diagnostics += report.diagnostics
        file.omitted = report.omitted
        file.source = report.text ?? source
      } catch {
        file.diagnostics.append(unreadable(file.path, error))
      }
    }
    file.diagnostics.removeAll { $0.severity < least }
    // The text of a clean file is not shown, so it is not kept.
    if file.diagnostics.isEmpty { file.source = nil }
    return (file, read)
  }

  /// Runs the rules for the content.
  private func report(
    on source: SourceText, _ options: ValidationOptions, _ least: Diagnostic.Severity,
    _ read: inout ReadFile?
  ) -> ValidationReport {
    switch content {
    case .association:
      var options = options
      options.includesNotes = least == .note
      if source.bytes.count <= largestInput { options.gzipSize = { gzipSize(of: $0) } }
      let file = AssociationFile(source, options: options)
      read = .association(file)
      return file.report(options)
    case .assetLinks:
      let file = AssetLinksFile(source)
      read = .assetLinks(file)
      return file.report(ignoring: options.ignored)
    case .passkeys(let kind):
      return PasskeyReading(source, as: kind).report(ignoring: options.ignored)
    case .other, .none: return ValidationReport(isReadable: true, diagnostics: [])
    }
  }
}

/// A slightly too large file is read as a whole, so that its size can be reported.
private let largestInput = 16 * AppleLimits.fileBytes

func unreadable(_ path: String, _ error: SystemError) -> Diagnostic {
  Diagnostic(
    .unreadable, "the path cannot be read: \(error.reason)", at: .init(path: path),
    help: path.contains("://") || looksLikeDomain(path)
      ? "aasa check \(path) checks the domain itself"
      : error.isNotFound ? "check the spelling" : "let this user read it, or leave it out")
}
