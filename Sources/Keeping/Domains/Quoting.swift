package import Diagnostics
internal import Posix

/// Omits what faults quote of a file that a link leads to from `folder`: it may be any file of this
/// machine, and other people read the log, the status and the pages.
///
/// - Parameter path: The file that all the faults are about.
package func withoutQuotes(
  _ faults: [Diagnostic], of path: String, in folder: String
) -> [Diagnostic] {
  if faults.isEmpty { return [] }
  let end = try? resolvedPath(path)
  if let end, let folder = try? resolvedPath(folder), end.hasPrefix(folder + "/") { return faults }
  return faults.map { $0.withoutQuotes(at: path, leadingTo: end) }
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
