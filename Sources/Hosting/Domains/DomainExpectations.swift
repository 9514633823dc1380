internal import AppSiteAssociation
internal import Diagnostics
internal import JSON
internal import Posix
internal import TLS

extension DomainReader {
  /// Runs the expectations that stand beside an association file. Hosts of their URLs are not looked
  /// at: an entry may be served for aliases too.
  ///
  /// Returns what is broken, the first line first; nothing when there are no expectations.
  func brokenExpectations(
    _ paths: [String], _ source: SourceText, _ form: FileForm?
  ) -> [Diagnostic] {
    var result: [Diagnostic] = []
    var document: Document?
    for path in paths {
      do throws(SystemError) {
        let content = try readContent(path, limit: CaseLimits.fileBytes)
        document = document ?? parsed(source, form)
        // The content of a signed file that cannot be read: nothing can be expected of it.
        guard let document else { return result }
        result += caseDiagnostics(
          SourceText(path: path, bytes: content.bytes), against: document, domain: nil)
      } catch {
        if error.isNotFound { continue }
        result.append(
          Diagnostic(
            .error, code: "H030", "the expectations cannot be read: \(error.reason)",
            at: .init(path: path), help: "let the server's user read the file, or remove it"))
      }
    }
    return result
  }

  private func parsed(_ source: SourceText, _ form: FileForm?) -> Document? {
    guard form == .signed else { return try? Document(parsing: source) }
    guard let bytes = try? CMS.content(of: source.bytes) else { return nil }
    return try? Document(parsing: SourceText(path: source.path, bytes: bytes))
  }
}
