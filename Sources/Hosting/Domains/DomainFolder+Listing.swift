internal import Diagnostics
internal import Posix

extension DomainFolder {
  /// Reads the names in the folder.
  init(listing path: String) throws(SystemError) {
    var names: [(name: String, isDirectory: Bool)] = []
    for entry in try listEntries(path) {
      names.append(
        (entry.name, entry.isDirectory ?? Self.isDirectory(path + "/" + entry.name)))
    }
    self.init(path: path, names: names)
  }

  /// Whether a path leads to a directory, or is meant to.
  static func isDirectory(_ path: String) -> Bool {
    if let kind = try? status(path).kind { return kind == .directory }
    // A link that leads nowhere now: its name tells what it is to be.
    return readLink(path) != nil && !path.lowercased().hasSuffix(".json")
  }

  static func unreadable(_ path: String, _ error: SystemError, isServed: Bool) -> Diagnostic {
    Diagnostic(
      .error, code: "H001", "the domains folder cannot be read: \(error.reason)",
      at: .init(path: path),
      help: error.isNotFound
        ? "make it, or name another with --domains" : "let the server's user read it",
      note: isServed ? "what was served before is still served" : nil)
  }
}
