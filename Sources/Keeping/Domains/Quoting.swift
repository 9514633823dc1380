package import Diagnostics
package import Posix

/// The gate for a file that somebody else may have written, in a folder that he may write.
///
/// A link can point to any file of this machine, and other people read the log, the status and the
/// pages. What a link points to from outside the folder is never quoted, and whether it is used at
/// all depends on the kind of file.
package struct ForeignFile: Sendable {
  package let path: String
  package let content: FileContent
  /// The path of the file behind all links; nil if that cannot be known any more, because a link
  /// changed since the file was read.
  let end: String?
  /// Whether the file lies in the folder.
  package let isInside: Bool

  /// Opens and reads a file.
  package init(reading path: String, limit: Int, in folder: String) throws(SystemError) {
    self.init(path, try readContent(path, limit: limit), in: folder)
  }

  /// A file that was just read.
  ///
  /// - Parameter folders: The folders where it may lie.
  init(_ path: String, _ content: FileContent, in folders: String...) {
    self.path = path
    self.content = content
    // A file that is not a link lies where its path says.
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

  /// Omits what faults quote of a file outside the folder.
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
  /// Returns a fault of the same kind that quotes nothing of the file.
  ///
  /// - Parameters:
  ///   - path: The path of the link.
  ///   - end: The path of the file behind the link; nil if the link cannot be resolved any more.
  func withoutQuotes(at path: String, leadingTo end: String?) -> Diagnostic {
    Diagnostic(
      kind, severity: severity, kind.what, at: .init(path: path),
      help: "check where the link leads" + (end.map { ": \($0)" } ?? ""),
      note: end == nil
        ? "its content is not shown, because its path could not be resolved again"
        : "its content is not shown, because the link leaves the folder")
  }
}
