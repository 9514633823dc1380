package import Diagnostics
package import Posix

/// A file in a folder in which untrusted users may create links.
///
/// A link can point to any file of this machine, and other people can read the log, the status and
/// the pages. Therefore, diagnostics never quote a file outside the folder. Each kind of file has
/// its own rule for whether the server uses a file outside the folder.
package struct ForeignFile: Sendable {
  package let path: String
  package let content: FileContent
  /// The path of the file after all links have been followed; nil if a link has changed since the
  /// file was read.
  let end: String?
  /// Whether the file is in the folder.
  package let isInside: Bool

  /// Opens and reads a file.
  package init(reading path: String, limit: Int, in folder: String) throws(SystemError) {
    self.init(path, try readContent(path, limit: limit), in: folder)
  }

  /// Finds out whether a file that was just read is in one of the folders.
  ///
  /// - Parameter folders: The folders that the file may be in.
  init(_ path: String, _ content: FileContent, in folders: String...) {
    self.path = path
    self.content = content
    // If the path is not a link, the file is in the folder, and the path need not be resolved.
    if !content.isLink, folders.contains(where: { isEntry(path, of: $0) }) {
      (end, isInside) = (path, true)
      return
    }
    let found = try? resolvedPath(path)
    let end = found.flatMap { (try? status($0)) == content.status ? $0 : nil }
    self.end = end
    isInside = folders.contains { folder in
      guard let end, let folder = try? resolvedPath(folder) else { return false }
      return end.hasPrefix(folder == "/" ? folder : folder + "/")
    }
  }

  /// Removes quotations from the faults if the file is outside the folder.
  package func withoutQuotes(_ faults: [Diagnostic]) -> [Diagnostic] {
    isInside ? faults : faults.map { $0.withoutQuotes(at: path, leadingTo: end) }
  }
}

private func isEntry(_ path: String, of folder: String) -> Bool {
  let start = folder.hasSuffix("/") ? folder : folder + "/"
  return path.hasPrefix(start)
    && !path.utf8.dropFirst(start.utf8.count).contains(UInt8(ascii: "/"))
}

extension Diagnostic {
  /// Returns the same fault without quotations from the file.
  ///
  /// - Parameters:
  ///   - path: The path of the link.
  ///   - end: The path of the link's target; nil if the link can no longer be resolved.
  func withoutQuotes(at path: String, leadingTo end: String?) -> Diagnostic {
    Diagnostic(
      kind, severity: severity, kind.what, at: .init(path: path),
      help: end.map { "check the target of the link: \($0)" }
        ?? "check again: this path changed while the file was read",
      note: end == nil
        ? "the file's content is not shown, because the path could not be resolved a second time"
        : "the file's content is not shown, because the link leads out of the folder")
  }
}
