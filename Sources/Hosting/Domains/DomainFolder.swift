package import Diagnostics
internal import Posix

/// The names in the domains folder, put together to entries: one for each set of hosts.
///
/// This is the whole of the naming rules, without a file being opened.
package struct DomainFolder: Sendable {
  package private(set) var entries: [DomainName: Entry] = [:]
  /// The names of files that hold expectations.
  private(set) var cases: Set<String> = []
  /// What is wrong with the names, told anew by each reading of the folder.
  package private(set) var diagnostics: [Diagnostic] = []

  /// - Parameter names: what is in the folder; `isDirectory` is true for links to directories too.
  package init(path: String, names: [(name: String, isDirectory: Bool)]) {
    entries.reserveCapacity(names.count)
    for (name, isDirectory) in names {
      switch Self.classify(name, isDirectory: isDirectory) {
      case .skipped: break
      case .unknown(let help):
        diagnostics.append(
          Diagnostic(
            .warning, code: "H004", "this is no entry, so nothing is served from it",
            at: .init(path: path + "/" + name), help: help))
      case .part(let domain, let part):
        add(name, as: part, of: domain, path: path)
      }
    }
    if diagnostics.count > 1 {
      diagnostics.sort { ($0.location?.path ?? "") < ($1.location?.path ?? "") }
    }
  }

  /// The part of an entry that a name is.
  enum Part: Sendable, Equatable {
    case file, folder, assetLinks
    /// `HOST.cases`: makes no entry of its own, but a change of it concerns the host's.
    case cases
  }

  enum Classified: Sendable, Equatable {
    case part(DomainName, Part)
    /// Not ours, and no mistake either.
    case skipped
    /// Probably a mistake; the text tells how to mend it.
    case unknown(help: String)
  }

  /// What a name in the folder means.
  static func classify(_ name: String, isDirectory: Bool) -> Classified {
    if name.utf8.first == UInt8(ascii: ".") || name == "lost+found" { return .skipped }
    if isDirectory {
      return DomainName(entryName: name).map { .part($0, .folder) }
        ?? .unknown(
          help: "name the folder after its host, for example example.com/" + idnHint(name))
    }
    if let stem = stem(of: name, without: ".assetlinks.json") {
      return DomainName(entryName: stem).map { .part($0, .assetLinks) }
        ?? .unknown(help: fileHelp(name))
    }
    if let stem = stem(of: name, without: ".json") {
      return DomainName(entryName: stem).map { .part($0, .file) } ?? .unknown(help: fileHelp(name))
    }
    if let stem = stem(of: name, without: ".cases") {
      return DomainName(entryName: stem).map { .part($0, .cases) } ?? .skipped
    }
    let lower = name.lowercased()
    if lower.hasPrefix("readme") || lower.hasPrefix("license")
      || lower.hasSuffix("~") || lower.hasSuffix(".swp") || lower.hasSuffix(".tmp")
    {
      return .skipped
    }
    return .unknown(help: fileHelp(name))
  }

  private static func fileHelp(_ name: String) -> String {
    if name == "apple-app-site-association" || name == "assetlinks.json" {
      return "put it into a folder named after its host, for example example.com/\(name)"
    }
    if DomainName(entryName: name) != nil && name.contains(".") {
      return "if it is the association file of \(name), name it \(name).json"
    }
    return "name the file after its host, for example example.com.json" + idnHint(name)
  }

  private static func idnHint(_ name: String) -> String {
    name.utf8.contains { $0 >= 0x80 }
      ? "; write an international name in its ASCII form, xn--…" : ""
  }

  /// `suffix` is ASCII in lower case; in the name case does not count.
  private static func stem(of name: String, without suffix: String) -> String? {
    guard name.utf8.count >= suffix.utf8.count else { return nil }
    for (byte, expected) in zip(name.utf8.suffix(suffix.utf8.count), suffix.utf8)
    where byte != expected {
      if byte &- 0x41 >= 26 || byte | 0x20 != expected { return nil }
    }
    return String(name.utf8.dropLast(suffix.utf8.count))
  }

  private mutating func add(_ name: String, as part: Part, of domain: DomainName, path: String) {
    if part == .cases {
      cases.insert(name)
      return
    }
    guard let before = entries[domain, default: Entry(name: domain)].add(name, as: part) else {
      return
    }
    // Of two names the first in the order of texts counts.
    let (used, unused) = before < name ? (before, name) : (name, before)
    entries[domain]?.replace(part, by: used)
    diagnostics.append(
      Diagnostic(
        .warning, code: "H005", "\(domain) has another entry, \(used), which is used instead",
        at: .init(path: path + "/" + unused), help: "remove one of the two"))
  }
}
